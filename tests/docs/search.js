// node search.js FOLDER QUERY...: the pages that the search of built pages finds, as JSON.
const vm = require("vm");
const fs = require("fs");
const [folder, ...queries] = process.argv.slice(2);
const context = vm.createContext({
  document: { getElementById: () => null },
  SPHINX_HIGHLIGHT_ENABLED: false,
  _ready: () => {},
  _: (text) => text,
  queries,
});
context.window = context;
const scripts = ["language_data.js", "searchtools.js"].map((name) => `_static/${name}`);
for (const script of [...scripts, "searchindex.js"])
  vm.runInContext(fs.readFileSync(`${folder}/${script}`, "utf8"), context);
const search = "queries.map((query) => Search._performSearch(...Search._parseQuery(query)).reverse())";
console.log(JSON.stringify(vm.runInContext(search, context).map((found) => found.map(([page]) => page))));
