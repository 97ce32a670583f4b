/** Turns of phrase that a reader has to read twice, with what to write instead. `docs/glossary.md` has the words for things. */
export const families = [
  {
    name: "told",
    advice: "Name who does it: vmlint detects, reports, prints.",
    forms: [
      /\b(?:is|are|was|were|be|been|which|and)(?: also| then)? (?:told|said|heard)\b/,
      /\btells? (?:its|what|which|of|how|it)\b/,
      /\b(?:says?|said|speaks?|spoke) (?:of|it|so|that|no|all|nothing|something|what(?! to\b)|which|how|why|the same|outright|different)\b/,
      /\b(?:to|would|will|may|must|they|rules?|checks?|it) speak\b|\bspeaks?\b(?= (?:now|where|only))/,
      /\bas far as\b/,
      /\bnames (?:it|one|them|none)\b/,
    ],
  },
  {
    name: "pronoun for a noun",
    advice: "Name the thing: file, setting, VM, host, rule, finding.",
    forms: [
      /\b[Ww]ho(?:m|se)?ever\b|\b[Nn]obody\b/,
      /\b(?:of|by|to|from|in|on|behind|after|for|with) which\b/,
      /\b(?:of|in|by) (?:what|whose)\b/,
      /\bwhose (?:kind|number|form|name)\b/,
      /\b(?:those|these|ones) (?:that|which|who|of|said|with|in)\b/,
      /\b(?:the |any |each |only )?one (?:that|which|of (?:those|them)|after which|about)\b/,
      /\b(?:another|others?) (?:that|which|one|is known)\b|\b(?:of|by|the) others\b/,
      /\bnone of\b|\b(?:are|of|adds up) none\b(?!\.$)|\bno other than\b/,
      /\b(?:all|anything|everything|nothing|none|something|any) (?:that|there is|of it|else|but|is (?:wrong|said|where))\b/,
      /(?:^|[.:;,(] |\band |\bbut )[Ww]hat (?!to\b|is \w+\?|if\b|the guest sees\b|you\b|vmlint (?:reads|prints|checks)\b)[a-z`*](?:[^.?]*)(?=[.:;,)]|$)(?!\?)/m,
      /\b(?:takes?|keeps?|shows?|prints?|reports?|finds?|explains?|as|than|about|after|with|and|out|like) what (?!to\b|is there\?)[a-z`]/,
      /\b(?:of|as) (?:ours|its own kind)\b|\bas ours\b|\b(?:do|have|has|are) theirs\b/,
    ],
  },
  {
    name: "place for a relation",
    advice: "Say next to, above, in the same folder, or name the relation.",
    forms: [
      /\bbeside\b/,
      /\b(?:stands?|stood|lies|lay|lie) (?:in|at|on|below|above|behind|over|there|where|by|under)\b/,
      /\bheld against\b|\bone behind the other\b/,
    ],
  },
  {
    name: "turned sentence",
    advice: "Subject, verb, object: begin with the thing that acts.",
    forms: [
      /(?:^|[.;] |, and |\()[Oo]f (?:an?|the|its|VMs|nodes|what|several|two|such|each|many|all)\b/m,
      /\b[Ww]here (?:not|only|some|it|they|there|nobody|nothing|something|one|all|several|that|another|its|their|a [a-z]+ (?:has|is|of)|CI is|findings)\b/,
      /\band so (?:is|are|do|does|they|it)\b|(?:^|[;.] )so (?:are|is|they) /m,
      /\bwhich so\b|\bbut for\b|\bas good as\b|\bneither (?:says|can)\b|\bit is by\b/,
      /\bmakes? no\b|\bgives? (?:a|no|any) cause\b|\bnot (?:with fewer|counted|looked)\b/,
      /\bwithout (?:either|a line|it says)\b|\bwith a word\b|\bat a place\b|\bare found by that\b/,
    ],
  },
  {
    name: "negated noun",
    advice: "Say is not a, does not, there is no.",
    forms: [
      /(?<![Tt]here )\bis (?:in )?no(?: \w+)? (?:archive|place|list|folder|file|option|sentence|matter|change|rule|module)\b/,
      /\b(?:takes|holds|asks|leaves?|counts|change[sd]?|adds?|ends?) no (?!effect|longer|more)\w+/,
      /\bno end\b|\bis to (?!be\b)\w+|\b(?:is|are|has) to be (?:said|in|told)\b|\bare? meant\b/,
      /\bunasked\b|\bin vain\b|\bnot whole\b|\bwritten whole\b|\bmisses?\b.*\bthese\b/,
    ],
  },
  {
    name: "odd verb",
    advice: "Use everyday verbs: skip, count, check, set, use, fix.",
    forms: [
      /\b(?:is|are|was) (?:worth|mended|judged|put back|asked|refused by)\b/,
      /\bputs? .{0,24}\bright\b|\bturns? out\b|\badd(?:s|ed)? up (?:none|the)\b/,
      /\bcounts? (?:in|where|instead)\b|\bcounts as (?!unknown)|\bcounts (?!as\b)\w+ for\b/,
      /\bchecks? (?:met|needs? more|that lacks|would)\b|\bstays? silent\b|\bis silent\b/,
      /\blooked (?:at|for)\b|\bcould not look\b|\bnot known yet\b|\bis called\b|\bwished?\b/,
      /\bquietly loses\b|\bas (?:it|they) (?:is|are) (?:typed|written)\b/,
      /\b(?:size|options?|errors?|rules?|checking|reports|editors?|hosts?|it|text|command) alone\b/,
    ],
  },
  {
    name: "vague",
    advice: "Say which one, and how many.",
    forms: [
      /\bamong others\b|\bwhatever\b|\bone another\b|\bat all\b|\bfor the like\b|\bor the like\b/,
      /\bthe way it took\b|\btakes? the memory\b|\bone result together\b|\bshaped? wrongly\b/,
      /\bsays?\b[^.,;]*\b(?:says?|said)\b|\bsays? no\b|\bsays? something\b|\bcan say\b|\b[Ii]t says\b/,
      /\brun(?:s|ning)? (?:in it|on it|as you)\b|\bhas it\b|\bsee to it\b|\bsees to it\b/,
      /\bleaves your machine\b|\bwhat (?:it|they) (?:leaves?|states?|found|assumes?)\b/,
      /\babout what\b|\babout (?:all|several) (?:of|VMs of one)\b|\bsome rules that\b|\bthe memory of its\b/,
    ],
  },
];

/** @returns every family found in a sentence, with the words that gave it away. */
export function familiesIn(sentence) {
  return families.flatMap(({ name, advice, forms }) =>
    forms.flatMap((form) => {
      const found = form.exec(sentence)?.[0];
      return found === undefined ? [] : [{ name, advice, found: found.trim() }];
    }),
  );
}
