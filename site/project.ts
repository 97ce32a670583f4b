/** Where the sources are published: the one place that says so. */
export const REPOSITORY = "https://github.com/OWNER/vmlint";
