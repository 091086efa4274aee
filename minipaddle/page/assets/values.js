/* Values: how they come out of the data of both pages, and what their panels show of a tensor. */

const UNSAID = { side: "forward", op: "", twin: null, cluster: null, count: 1, state: "", results: [], says: "", doc: "" };

/** Fill in what the data leaves out of nodes: values and sentences that many have in common stand in tables. */
function unpack(nodes, { values, texts }, names) {
  const stats = (given) => Object.fromEntries(names.map((name, place) => [name, given[place] ?? 0]));
  const result = (id) => {
    const known = values[id];
    return { ...known, id, ...(known?.stats ? { stats: stats(known.stats) } : {}) };
  };
  for (const [id, fact] of Object.entries(nodes)) {
    Object.assign(fact, { ...UNSAID, ...fact, id });
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

function valueTable(result, budget) {
  const table = element("table", undefined, "value");
  const row = (name, text) => {
    const line = table.insertRow();
    line.append(element("th", name), element("td"));
    line.lastChild.append(element("div", text)); // a long array is scrolled through
  };
  const stats = result.stats;
  row("name", result.name);
  if (result.dtype) row("shape", `[${result.shape.join(", ")}] ${result.dtype}, ${result.bytes} bytes`);
  if (result.data !== undefined) row("numbers", numbersText(result.data));
  else if (stats && result.dtype) row("numbers", "not in this page: it keeps 512 KB of them, small ones first");
  if (stats && stats.norm !== "nan") {
    row("min, mean, max", [stats.min, stats.mean, stats.max].map(short).join(", "));
    row("rms, norm", [stats.rms, stats.norm].map(short).join(", "));
  }
  if (stats && (stats.zeros || stats.nans || stats.infs))
    row("of these", `${stats.zeros} zero, ${stats.nans} NaN, ${stats.infs} Inf`);
  return table;
}

/** Write an array as Python would, a row to a line. */
function numbersText(data) {
  if (!Array.isArray(data)) return String(data);
  if (!Array.isArray(data[0])) return `[${data.map(String).join(", ")}]`;
  return `[${data.map(numbersText).join("\n ")}]`;
}

const short = (number) => (typeof number === "number" ? String(Number(number.toPrecision(4))) : number);

