/* Values: how they come out of the data of both pages, and what their panels show of a tensor. */

const UNSAID = { side: "forward", op: "", twin: null, cluster: null, count: 1, state: "", results: [], says: "", doc: "" };

/** Fill in what the data leaves out of nodes: values, sentences and names of fields stand in tables. */
function unpack(nodes, { values, texts, sizes, names: fields, stats: names, common }) {
  const spelt = (given) => Object.fromEntries(Object.entries(given ?? {}).map(([letter, one]) => [fields[letter], one]));
  const stats = (given) => Object.fromEntries(names.map((name, place) => [name, given[place] ?? 0]));
  const result = (id) => {
    const known = { dtype: "float32", shape: [], ...spelt(values[id]), id };
    known.bytes = known.shape.reduce((product, one) => product * Math.max(one, 0), sizes[known.dtype]);
    if (known.stats) known.stats = stats(known.stats);
    return known;
  };
  for (const [id, given] of Object.entries(nodes)) {
    const known = spelt(given);
    const fact = (nodes[id] = { ...UNSAID, ...common[known.kind], ...known, id });
    fact.results = fact.results.map(result);
    for (const name of ["rule", "notes"]) fact[name] = fact[name]?.map((one) => texts[one]);
    if (fact.doc !== "") fact.doc = texts[fact.doc];
  }
}

function section(panel, title, lines, classes) {
  if (!lines || !lines.length) return;
  panel.append(element("h3", title));
  for (const line of lines) panel.append(element("p", line, classes));
}

const SHORT = 24; // characters that fit a line of the panel

/** Return a table of what is known of a value; `numbers`: its numbers, where they can be chosen. */
function valueTable(result, budget, numbers) {
  const table = element("table", undefined, "value");
  const row = (name, text) => {
    const line = table.insertRow();
    line.append(element("th", name), element("td"));
    const cell = element("div", text); // a long array is scrolled through, by key too
    if (String(text).length > SHORT) Object.assign(cell, { tabIndex: 0, role: "group", ariaLabel: `${name}: ${result.name}` });
    line.lastChild.append(cell);
    return line.lastChild;
  };
  const stats = result.stats;
  row("§name§", result.name);
  if (result.dtype) row("§shape§", `[${result.shape.join(", ")}] ${result.dtype}, §${result.bytes} bytes§`);
  if (result.data !== undefined && numbers) row("§numbers§", "").replaceChildren(numbers);
  else if (result.data !== undefined) row("§numbers§", numbersText(result.data));
  else if (stats && result.dtype) row("§numbers§", `§not in this page: it keeps ${budget / 1024} KB of them, small ones first§`);
  if (result.dtype === "bool") return table;
  if (stats && stats.norm !== "nan") {
    row("§min, mean, max§", [stats.min, stats.mean, stats.max].map(short).join(", "));
    row("§rms, norm§", [stats.rms, stats.norm].map(short).join(", "));
  }
  if (stats && (stats.zeros || stats.nans || stats.infs))
    row("§of these§", `§${stats.zeros} zero, ${stats.nans} NaN, ${stats.infs} Inf§`);
  return table;
}

/** Write an array as Python would, a row to a line. */
function numbersText(data) {
  if (!Array.isArray(data)) return typeof data === "boolean" ? (data ? "True" : "False") : String(data);
  if (!Array.isArray(data[0])) return `[${data.map(numbersText).join(", ")}]`;
  return `[${data.map(numbersText).join("\n ")}]`;
}

const short = (number) => (typeof number === "number" ? String(Number(number.toPrecision(4))) : number);

/** Round a number to so many digits as Python does: a half goes to the even digit. */
function rounded(number, digits) {
  const half = new RegExp(`^(-?\\d\\.\\d{${digits - 1}})50*(e.*)$`).exec(number.toExponential(40));
  const isEven = half && Number(half[1].replace(".", "").at(-1)) % 2 === 0;
  return isEven ? Number(half[1] + half[2]) : Number(number.toPrecision(digits));
}

/** Write a number as Python does with `.4g`. */
function brief(number) {
  if (!Number.isFinite(number)) return number !== number ? "nan" : number > 0 ? "inf" : "-inf";
  const near = rounded(number, 4);
  const [digits, power] = near.toExponential(3).split("e").map(Number);
  if (!number) return "0";
  if (power >= -4 && power < 4) return String(near);
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** Return a number with so many digits; JSON has no NaN, so it is text. */
const shortened = (number, digits) => (Number.isFinite(number) ? rounded(number, digits) : brief(number));

/** Return flat numbers as nested lists, as they are in the data of the page. */
function nested(numbers, shape, dtype) {
  const inner = shape.slice(1);
  const written = (one) => (dtype === "bool" ? Boolean(one) : dtype.includes("float") ? shortened(one, 4) : one);
  if (!shape.length) return written(numbers[0]);
  if (!inner.length) return [...numbers].map(written);
  const step = numbers.length / shape[0];
  return Array.from({ length: shape[0] }, (_, at) => nested(numbers.slice(at * step, (at + 1) * step), inner, dtype));
}

/** Return where an element stands: `[0, 1]`. */
function placeText(at, shape) {
  const steps = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, one) => product * one, 1));
  return shape.length ? `[${steps.map((step, axis) => Math.floor(at / step) % shape[axis]).join(", ")}]` : "";
}
