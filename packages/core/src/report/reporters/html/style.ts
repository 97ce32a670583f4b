/** The page's style: colours by role, light and dark, as the pictures have them (`picture/style.ts`), whose contrast tests compute. */
export const STYLE = `
:root{color-scheme:light dark;--paper:#ffffff;--card:#f3f5f8;--ink:#1b2330;--dim:#4f5a6b;--line:#d5dae2;--link:#1f5fbf;
--error:#b3261e;--warning:#8a5300;--info:#1f5fbf;--hint:#4f5a6b;--gone:#fde8e7;--added:#e3f5e8;--fits:#5a86b8;--spans:#d98a1f;--open:#9aa4b2}
@media (prefers-color-scheme:dark){:root{--paper:#11161d;--card:#1a212b;--ink:#e8edf4;--dim:#aab4c3;--line:#33404f;--link:#7fb0ff;
--error:#ff8a80;--warning:#f0b354;--info:#7fb0ff;--hint:#aab4c3;--gone:#3a1f20;--added:#173323;--fits:#5b8fcc;--spans:#e0a040;--open:#6b7686}}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;overflow-wrap:break-word;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,"Segoe UI","Helvetica Neue",Arial,"DejaVu Sans",sans-serif}
header,main,footer{max-width:72rem;margin:0 auto;padding:0 1rem}
h1{font-size:1.6rem;margin:1.5rem 0 .25rem}
.about{color:var(--dim);font-weight:400}
h2{font-size:1.2rem;margin:2rem 0 .5rem;line-height:1.3}
h3{font-size:1.05rem;margin:0;line-height:1.3}
p{margin:.25rem 0}
a{color:var(--link)}
a:focus-visible,button:focus-visible,summary:focus-visible,input:focus-visible,select:focus-visible,[tabindex]:focus-visible{outline:2px solid var(--link);outline-offset:2px}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.875em}
bdi,code,h3,td,.about,.place{overflow-wrap:anywhere}
code,mark,dd,td,.message{unicode-bidi:isolate}
.counts{display:flex;flex-wrap:wrap;gap:.75rem;padding:0;margin:1rem 0;list-style:none}
.counts li{background:var(--card);border-left:4px solid var(--line);border-radius:4px;padding:.5rem 1rem;min-width:max-content;flex:1 1 6rem}
.counts b{display:block;font-size:1.5rem;line-height:1.2}
.error{--tone:var(--error)}.warning{--tone:var(--warning)}.info{--tone:var(--info)}.hint{--tone:var(--hint)}
.counts .error,.counts .warning,.counts .info,.counts .hint{border-left-color:var(--tone)}
.counts .error b,.counts .warning b,.counts .info b,.counts .hint b{color:var(--tone)}
.badge{color:var(--tone);border:1px solid currentColor;border-radius:4px;padding:0 .4em;font-size:.8rem;font-weight:600;white-space:nowrap}
.row{border-bottom:1px solid var(--line);margin:0}
.row>summary,.vm>summary{color:var(--ink);padding:.35rem 0}
.row .name{font-weight:600;overflow-wrap:anywhere}
.row ul{margin:.25rem 0 .75rem;padding-left:4.5rem}
.row p{padding-left:3.25rem}
.start{font-size:1.1rem;font-weight:600;margin:1rem 0}
.load{display:grid;grid-template-columns:minmax(8rem,14rem) minmax(6rem,1fr) minmax(16rem,26rem);gap:.25rem 1rem;align-items:center;padding:.3rem 0}
.hosts{padding-left:1.25rem;margin-bottom:.5rem}
.hosts .name{font-weight:400}
.bar,.track,.nodes{display:flex;position:relative;min-width:0;print-color-adjust:exact}
.bar{height:1rem;border-radius:3px;overflow:hidden;background:var(--card)}
.bar i,.track i{display:block;height:100%}
.fits{background:var(--fits)}.spans{background:var(--spans)}.exceeds{background:var(--error)}.open{background:var(--open)}
.key{display:inline-block;width:.8em;height:.8em;border-radius:2px}
.kind{margin:.75rem 0 1.5rem}
.shape{display:grid;grid-template-columns:10rem minmax(10rem,1fr) minmax(8rem,16rem);gap:.25rem 1rem;align-items:center;min-height:1.7rem}
.node{border:1px solid var(--line);border-width:0 1px;color:var(--dim);font-size:.8rem;text-align:center;white-space:nowrap;overflow:hidden}
.track{height:1.1rem}
.track .back{background:var(--card);border:1px solid var(--line);border-width:0 1px}
.track i:not(.back){position:absolute;top:.15rem;height:.8rem;border-radius:2px;border:1px solid var(--paper)}
.names{font-size:.85rem;margin-bottom:.4rem}
.names bdi{display:inline-block;max-width:100%;margin-right:.75rem;overflow-wrap:anywhere}
.names details{margin:0}
.names summary{padding:0;font-weight:400}
.vms td,.vms bdi{white-space:nowrap;overflow-wrap:normal}
th button{font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer;text-align:inherit}
th button::after{content:" \u2195";opacity:.5}
th[aria-sort=ascending] button::after{content:" \u2191";opacity:1}
th[aria-sort=descending] button::after{content:" \u2193";opacity:1}
.rest>summary{padding:.5rem 0;font-weight:600}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th{white-space:nowrap}
th,td{text-align:left;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--dim);font-weight:600}
td.number,th.number{text-align:right;padding-right:1rem;width:1px}
.filters{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;background:var(--paper);
border-bottom:1px solid var(--line);padding:.75rem 0;margin:1rem 0}
.filters fieldset{border:0;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.25rem .75rem}
.filters legend{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.filters input[type=search],.filters select{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:4px;
padding:.25rem .5rem;min-width:0;max-width:100%;flex:1 1 12rem}
::placeholder{color:var(--dim);opacity:1}
.filters output{color:var(--dim);white-space:nowrap}
.vm{border:1px solid var(--line);border-radius:8px;padding:0 1rem;margin:.35rem 0}
.vm[open]{padding-bottom:1rem;margin:1rem 0}
.vm>div{scroll-margin-top:8rem}
.vm>summary h3{display:inline}
.vm>summary .about{float:right;margin-left:1rem}
.finding{border-left:4px solid var(--tone);background:var(--card);border-radius:4px;padding:.75rem 1rem;margin:.75rem 0}
.finding .head{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline}
.place{color:var(--dim)}
.message{font-weight:600}
pre{background:var(--paper);border:1px solid var(--line);border-radius:4px;padding:.5rem .75rem;margin:.5rem 0;overflow-x:auto}
pre .number{color:var(--dim);user-select:none}
mark{background:none;color:inherit;text-decoration:underline 2px var(--tone);text-underline-offset:3px;font-weight:700}
dl{margin:.5rem 0 0;display:grid;grid-template-columns:max-content 1fr;gap:.1rem .75rem}
dt{color:var(--dim);grid-column:1}dd{margin:0;grid-column:2;overflow-wrap:anywhere}
.run{margin:.25rem 0}
details{margin-top:.75rem}
.fix{margin-top:.5rem}
del,ins{display:inline-block;min-width:100%;text-decoration:none}
del{background:var(--gone)}
ins{background:var(--added)}
.pair{display:flex;flex-wrap:wrap;gap:1rem}
.pair figure{flex:1 1 30rem;min-width:0}
figcaption{font-weight:600;margin-bottom:.25rem}
summary{cursor:pointer;color:var(--link)}
figure{margin:.5rem 0 0;overflow-x:auto}
footer{color:var(--dim);margin:2rem auto;border-top:1px solid var(--line);padding-top:1rem}
@media (max-width:40rem){.load,.shape{grid-template-columns:1fr;gap:0;padding:.35rem 0}.filters{position:static}.vm{padding:0 .75rem}.vm>summary .about{float:none;margin:0}.row ul,.row p{padding-left:1.25rem}.finding{padding:.6rem .75rem}dl{grid-template-columns:1fr}dt{margin-top:.25rem}dd{grid-column:1}
.counts li{flex-basis:4.5rem;padding:.4rem .75rem}}
@media (forced-colors:active){mark{background:Mark;color:MarkText}}
@media screen{.vm[open]{content-visibility:auto;contain-intrinsic-size:auto 30rem}}
@media print{h2,summary{break-after:avoid}.filters{display:none}.vm,.finding{break-inside:avoid}pre{white-space:pre-wrap;overflow-wrap:anywhere}pre,.scroll,figure{overflow:visible}.shape{break-after:avoid}.node{white-space:normal}table{font-size:.7rem}th,.vms td,.vms bdi{white-space:normal;overflow-wrap:anywhere}th,td,td.number,th.number{padding:.2rem .4rem .2rem 0}}
`;
