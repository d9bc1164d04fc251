// The cases of `book/programs/eval.rs`, as variables for promptfoo; `tickets.py` reads what this prints.
const fs = require("fs");
const source = fs.readFileSync(`${__dirname}/../../../../book/programs/eval.rs`, "utf8");
const rows = source.split('r#"')[1].split('"#')[0].trim().split("\n").slice(1);
const cell = /"([^"]*)"|([^,"]+)/g;
const cases = rows.map((row) => {
    const [name, tags, ticket, category, is_critical] = [...row.matchAll(cell)].map((m) => m[1] ?? m[2]);
    return { description: name, vars: { tags, ticket, category, is_critical: is_critical === "true" } };
});
module.exports = () => cases;
if (require.main === module) console.log(JSON.stringify(cases));
