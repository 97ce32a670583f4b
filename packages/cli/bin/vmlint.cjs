#!/usr/bin/env node
// npm links a command when it installs, before the bundle is built in a checkout; this file is there to be linked.
require("../dist/vmlint.cjs");
