/* Numbers that the reader changes: what follows from them is computed again, and shown in place of the recorded ones.
 *
 * Python wrote for each pass a program (program.js runs it), and its texts in parts: plain ones, and fields
 * [how, values, before, after]. A pass that is pushed has other numbers in `data`, which the rest of the script shows
 * as it shows any; `reset` brings back the recorded ones. Nothing is asked of a server.
 */

/** Return the statistics of numbers, those of the finite ones, as Python has them. */
function statsOf(numbers) {
  const finite = [...numbers].filter(Number.isFinite);
  const total = (of) => finite.reduce((sum, one) => sum + of(one), 0);
  const largest = finite.reduce((most, one) => Math.max(most, Math.abs(one)), 0) || 1;
  const norm = largest * Math.sqrt(total((one) => (one / largest) ** 2)); // of tiny numbers, too
  const known = (number) => (finite.length ? number : NaN);
  return {
    min: known(Math.min(...finite)),
    max: known(Math.max(...finite)),
    mean: known(total((one) => one) / finite.length),
    rms: known(norm / Math.sqrt(finite.length)),
    norm: known(norm),
    zeros: finite.filter((one) => one === 0).length,
    nans: numbers.filter((one) => one !== one).length,
    infs: numbers.filter((one) => Math.abs(one) === Infinity).length,
  };
}

/* ---- fields: the same looks at numbers as in minipaddle/tools/words/numbers.py ------------------------------------------- */

const MOST_SHOWN = 3;

const LOOKS = {
  few(value) {
    const { nans, infs } = value.stats;
    const below = value.numbers.filter((one) => one === -Infinity).length === infs;
    const counts = [[nans, "NaN"], [infs, below ? "-Inf" : "Inf"]].filter(([count]) => count);
    if (counts.length) return counts.map(([count, what]) => `§${what}: ${count} of ${value.numbers.length}§`).join("§, §");
    return value.numbers.length > MOST_SHOWN ? "" : [...value.numbers].map(value.isTruth ? (one) => (one ? "True" : "False") : brief).join(", ");
  },
  look(value) {
    const few = LOOKS.few(value);
    if (few) return few;
    if (isZero(value)) return "§all zero§";
    return value.isGradient && value.stats.norm === value.stats.norm ? `§norm ${brief(value.stats.norm)}§` : "";
  },
  glance: (value) => LOOKS.look(value) || `§norm ${brief(value.stats.norm)}§`,
  all: ({ numbers, shape }) => allOf(numbers, shape),
  bad: (value) => (isBad(value) ? LOOKS.few(value) : ""),
  ends(value) {
    const { min, mean, max, norm } = value.stats;
    if (norm !== norm) return isBad(value) ? "" : LOOKS.look(value);
    return `min ${brief(min)}, mean ${brief(mean)}, max ${brief(max)}`;
  },
  sizes({ stats: { rms, norm, zeros }, numbers }) {
    if (norm !== norm) return "";
    return `rms ${brief(rms)}, norm ${brief(norm)}${zeros ? `§, ${zeros} of ${numbers.length} zero§` : ""}`;
  },
  zero: (...values) => stateOf(values.map((value) => (isZero(value) ? "§gradient is zero§" : ""))),
  added: (...values) => stateOf(values.map((value) => (isZero(value) ? "§gradient is zero§" : "§added to what was there§"))),
  range(...values) {
    const bad = values.filter(isBad).length;
    if (bad) return `§NaN or Inf in ${bad} of ${values.length}§`;
    const norms = values.map((one) => one.stats.norm);
    if (norms.length < 2 || norms.some((norm) => norm !== norm)) return "";
    const ends = [Math.min(...norms), Math.max(...norms)].sort((one, other) => norms.indexOf(one) - norms.indexOf(other));
    const [low, high] = ends.map(brief); // as they come in the run, and in the strips
    return low === high ? `§norm ${low}§` : `§norm ${low} to ${high}§`;
  },
};

/* ---- fields that decide whether their line is said: null, and it is not ---------------------------------------------- */

const SAID = {
  when: (push, [at]) => (push.formulas.is(at) ? "" : null),
  count: (push, [at]) => String(push.formulas.arrays[at][0]),
  put: (push, [root, value, ...named]) => push.formulas.line(root, value, named),
  holds: (push, [root, value], told) => (push.formulas.holds(root, value) ? "" : SAID.recorded(push, [], told)),
  recorded(push, ids, told) {
    told.recorded = true;
    return "";
  },
  cancel(push, [size, ...ids]) {
    const sums = Array.from({ length: ids.length / size }, (_, at) => push.values(ids.slice(at * size, (at + 1) * size)));
    return stateOf(sums.map((values) => (cancels(values) ? "§the terms cancel§" : "")));
  },
  cancels: (push, ids) => (cancels(push.values(ids)) ? "" : null),
  left: (push, ids) => percent(leftOf(push.values(ids))),
  share(push, [place, ...ids]) {
    const values = push.values(ids);
    const terms = values.slice(0, -1);
    const parts = terms.map((term) => shareOf(term, terms));
    return parts.every(Number.isFinite) ? (contributionOf(terms[place], parts[place]) || percent(parts[place])).padStart(10) : null;
  },
};

/** Return the words for a gradient that all rounds have; if only some have any, how many they are. */
function stateOf(states) {
  const [said, ...rest] = states.filter(Boolean);
  if (!said || (rest.length + 1 === states.length && rest.every((one) => one === said))) return said ?? "";
  const count = states.filter((one) => one === said).length;
  return `§${said} (${count} of ${states.length})§`;
}

const cancels = (values) => leftOf(values) < 0.1;

/** Return how much of the norms of terms is left in their sum, the last of the values: as in tools/record/term_shares.py. */
function leftOf(values) {
  const norms = values.slice(0, -1).reduce((sum, one) => sum + one.stats.norm, 0);
  const total = values.at(-1);
  return norms > 0 && Number.isFinite(norms) && Number.isFinite(total.stats.norm) && !isBad(total)
    ? total.stats.norm / norms
    : NaN;
}

/** Return which part of all terms' absolute elements a term has: as in tools/record/term_shares.py. */
function shareOf(term, terms) {
  const size = (part) => part.numbers.reduce((sum, one) => sum + Math.abs(one), 0);
  const whole = terms.reduce((sum, one) => sum + size(one), 0);
  return whole < Infinity ? size(term) / whole : NaN;
}

/** Return what a term adds to a sum: its numbers if they are few, else its share, from 1% to 99%. */
function contributionOf(term, share) {
  const few = term.numbers.length && term.numbers.length <= MOST_SHOWN;
  if (few) return [...term.numbers].map(brief).map((one) => (one.startsWith("-") ? one : `+${one}`)).join(", ");
  return 0.005 < share && share < 0.995 ? percent(share) : "";
}

function percent(part) {
  const whole = toEven(100 * part);
  if (whole !== 100 * part && whole % 100 === 0 && part > 0 && part < 2) return whole ? ">99%" : "<1%";
  return `${whole}%`;
}

/** Round to a whole number: a half goes to the even one. */
function toEven(number) {
  const whole = Math.floor(number);
  return number - whole === 0.5 ? whole + (whole % 2 ? 1 : 0) : Math.round(number);
}

/** Return how many elements of results are NaN or Inf, once; nothing where nobody has seen the numbers. */
function notFinite(stats) {
  const seen = stats.filter(({ nans, infs, norm }) => nans || infs || Number.isFinite(Number(norm)));
  return seen.length ? [seen.reduce((sum, { nans, infs }) => sum + nans + infs, 0)] : [];
}

/** Return numbers as nested lists of short ones. */
function allOf(numbers, [count, ...inner]) {
  if (count === undefined) return brief(numbers[0]);
  const step = numbers.length / count;
  return `[${Array.from({ length: count }, (_, at) => allOf(numbers.slice(at * step, (at + 1) * step), inner)).join(", ")}]`;
}

const isZero = ({ stats, numbers }) => numbers.length > 0 && stats.zeros === numbers.length;
const isBad = ({ stats }) => Boolean(stats.nans || stats.infs);

/* ---- a pass that can be pushed ------------------------------------------------------------------------------------- */

class Push {
  constructor(pass) {
    this.pass = pass;
    this.live = pass.live;
    this.program = new Program(this.live.program);
    this.formulas = new Formulas(this.live.formulas, this.program.arrays, this.live.texts);
    this.gradients = new Set(this.live.gradients);
    this.recorded = structuredClone({ facts: pass.facts, measures: pass.measures });
    this.arrows = pass.arrows.map(({ label, norm }) => ({ label, norm }));
    this.drawn = new Map(); // an element of the picture -> the text that it had
    this.painted = new Map(); // the group of a node in the picture -> the node's id
    this.changed = false;
    this.held = false; // while a number is dragged, all boxes stay where they are
    this.found = new Map(); // what is known of a value now
    const nodes = Object.entries(this.live.nodes);
    this.lines = Object.fromEntries(nodes.map(([id, { label }]) => [id, label.map((parts) => this.filled(parts))]));
  }

  /** Return the numbers of a value as they are now. */
  numbers(id) {
    return this.program.arrays[this.live.values[id]];
  }

  shape(id) {
    return this.live.program[this.live.values[id]][1];
  }

  dtype(id) {
    return this.live.program[this.live.values[id]][2];
  }

  value(id) {
    if (!this.found.has(id)) {
      const numbers = this.numbers(id);
      this.found.set(id, { numbers, shape: this.shape(id), stats: statsOf(numbers), isGradient: this.gradients.has(id), isTruth: this.dtype(id) === "b1" });
    }
    return this.found.get(id);
  }

  values(ids) {
    return ids.map((id) => this.value(id));
  }

  set(id, at, number) {
    this.program.give(this.live.values[id], at, number);
    this.program.run();
    this.found.clear();
    this.changed = this.pass.pushed = true;
    this.asked = false;
    for (const node of Object.keys(this.live.nodes)) this.tell(node);
    for (const arrow of this.pass.arrows) this.tellArrow(arrow);
    for (const [node, lines] of Object.entries(this.live.lines)) this.follow(this.pass.facts[node], lines);
    this.measure();
  }

  reset() {
    this.program.reset();
    this.found.clear();
    this.changed = this.pass.pushed = false;
    Object.assign(this.pass, structuredClone(this.recorded));
    this.pass.arrows.forEach((one, place) => Object.assign(one, this.arrows[place]));
    sayWidths();
    for (const [part, text] of this.drawn) {
      part.textContent = text;
      part.removeAttribute("textLength");
    }
    this.drawn.clear();
    for (const [group, id] of this.painted) this.paint(group, id);
    this.painted.clear();
  }

  /** Let the lines of a node be made of the numbers when they are asked for. */
  follow(fact, lines) {
    for (const [section, several] of Object.entries(lines)) {
      const get = () => [...new Set(this.asking(several).filter((one) => one !== null))];
      Object.defineProperty(fact, section, { get, configurable: true, enumerable: true });
    }
  }

  asking(lines) {
    if (!this.asked) this.formulas.run();
    this.asked = true;
    return lines.map((line) => (typeof line === "number" ? book.texts[line] : this.line(line)));
  }

  /** Return a line; null if it is not said of the numbers that are there. */
  line(parts) {
    const told = {};
    const said = parts.map((part) => this.part(part, told));
    if (said.includes(null)) return null;
    if (!told.recorded) return said.join("");
    const [what, ...others] = said.join("").split("\n");
    return [`§${what}: told of the recorded numbers only, reset shows it again§`, ...others].join("\n");
  }

  part(part, told) {
    if (typeof part === "number") return book.texts[part];
    return typeof part === "string" ? part : this.field(told, ...part);
  }

  /** Bring what is known of a node in line with the numbers. */
  tell(id) {
    const fact = this.pass.facts[id];
    const { says, state, role } = this.live.nodes[id];
    const isBad = this.isBad(id);
    fact.says = this.filled(says);
    if (state) fact.state = this.filled(state);
    fact.role = isBad ? "alarm" : role;
    const [first = "", ...rest] = this.linesOf(id).filter(Boolean);
    const sign = isBad && this.live.signs && fact.kind !== "accumulate" ? "⚠ " : "";
    fact.lines = [sign + first, ...rest].flatMap((line) => fitted(line, fact.state));
    for (const result of fact.results) {
      if (this.live.values[result.id] === undefined) continue;
      const { numbers, stats } = this.value(result.id);
      if (result.data !== undefined) result.data = nested(numbers, result.shape, result.dtype);
      for (const [name, number] of Object.entries(stats)) result.stats[name] = shortened(number, 7);
    }
  }

  linesOf(id) {
    return this.live.nodes[id].label.map((parts) => this.filled(parts));
  }

  tellArrow(arrow) {
    const known = this.live.edges[arrow.id];
    if (known?.sum || known?.into) arrow.label = this.labelOf(known);
    if (known) arrow.norm = this.value(known.value).stats.norm;
  }

  filled(parts) {
    return parts.map((part) => this.part(part)).join("");
  }

  field(told, how, ids, before = "", after = "") {
    const text = how in SAID ? SAID[how](this, ids, told) : LOOKS[how](...this.values(ids));
    return text && before + text + after;
  }

  isBad(id) {
    const { made, bad } = this.live.nodes[id];
    return Boolean(bad) || this.values(made).some(isBad);
  }

  statsOf({ id, stats }) {
    return this.live.values[id] === undefined ? stats : this.value(id).stats;
  }

  /* -- colours: the same scale as in minipaddle/tools/picture/model/measures.py -- */

  measure() {
    for (const [name, { stat, kinds, words }] of Object.entries(this.live.measures)) {
      const sizes = {};
      for (const fact of Object.values(this.pass.facts)) {
        const shown = stat
          ? fact.results.filter((one) => kinds.includes(Boolean(one.gradient))).map((one) => Number(this.statsOf(one)[stat]))
          : notFinite(fact.results.map((one) => this.statsOf(one)));
        const known = shown.filter((one) => one === one);
        if (known.length) sizes[fact.id] = Math.max(...known);
      }
      this.pass.measures[name] = scaled(sizes, words);
    }
    for (const name of Object.keys(this.pass.measures)) // an expression is Python: nobody can ask it here
      if (name.startsWith("py:")) this.pass.measures[name] = scaled({}, name.slice("py:".length));
  }

  /* -- the picture -- */

  draw() {
    if (!this.changed) return;
    for (const edge of sight.edges) Object.assign(edge, sight.told(edge));
    if (!this.held && !this.hasRoom()) this.layOut();
    for (const id of Object.keys(this.live.nodes)) {
      const own = shape(id);
      for (const group of state.shapes.get(id) ?? []) {
        this.paint(group, id);
      }
      if (own) this.drawNode(own, id);
    }
    sayWidths();
    const widthOf = widthsOf(this.pass.arrows, book.widths);
    for (const edge of sight.edges) {
      const line = drawing.line(edge);
      if (!line || edge.kind !== "gradient") continue;
      widen(line, edge.kind, widthOf(edge));
      const [title, text] = ["title", "text"].map((name) => line.querySelector(name));
      const [kind] = title.textContent.split(":");
      this.write(title, edge.label ? `${kind}: ${edge.label}` : kind);
      if (text) this.write(text, drawing.layout.labelOf(edge));
    }
  }

  /** Whether all that is said has its line in the picture, and no line has nothing to say. */
  hasRoom() {
    const { numbers } = drawing.layout;
    const isWhole = (id) => shape(id).querySelectorAll("text").length === drawing.linesOf(id, numbers.get(id)).length;
    const isSaid = (edge) => !drawing.line(edge).querySelector("text") === !drawing.wordsAt(edge);
    return sight.order.every(isWhole) && sight.edges.every((edge) => edge.kind !== "gradient" || isSaid(edge));
  }

  /** Lay the picture out anew, and mark in it what was marked. */
  layOut() {
    const marked = ["chosen", "now", "later", "found"].map((name) => [name, [...svg().querySelectorAll(`.node.${name}`)].map((one) => one.id)]);
    stage.show(svg(), drawing.show(sight, book.layout));
    indexShapes();
    minimap.show(drawing);
    clearPaths();
    for (const [name, ids] of marked) for (const id of ids) $(id)?.classList.add(name);
    state.marked = [...document.querySelectorAll(".chosen")];
  }

  /** Return what stands at an arrow from a sum, or into one. */
  labelOf({ value, sum, into, shape }) {
    const words = [];
    const of = (ids) => this.values(ids);
    const look = sum && (LOOKS.look(this.value(value)) || shape);
    if (sum && cancels(of(sum))) words.push(`§${percent(leftOf(of(sum)))} left§`);
    const share = into && shareOf(this.value(value), of(into.slice(0, -1)));
    const part = Number.isFinite(share ?? NaN) && contributionOf(this.value(value), share);
    if (look && !/^[+-]/u.test(part || "")) words.unshift(look);
    if (part) words.push(part);
    return words.join("§; §");
  }

  /** Give a node the colours of its role, or of an alarm. */
  paint(group, id) {
    const bad = this.isBad(id);
    this.painted.set(group, id);
    group.classList.toggle("role-alarm", bad);
    group.classList.toggle(`role-${this.live.nodes[id].role}`, !bad);
    return bad;
  }

  drawNode(group, id) {
    const lines = drawing.linesOf(id, drawing.layout.numbers.get(id));
    const texts = group.querySelectorAll("text");
    const last = texts.length - 1;
    const room = [...lines.slice(0, last), lines.slice(last).join(" ")];
    texts.forEach((text, place) => {
      if (text.textContent === (room[place] ?? "")) return;
      text.textContent = room[place] ?? "";
      fit(text, group);
    });
    group.dataset.words = room.join("\n");
    const fact = this.pass.facts[id];
    group.querySelector("title").textContent = fact.lines.join("\n") + placeOf(fact);
  }

  write(part, text) {
    if (!this.drawn.has(part)) this.drawn.set(part, part.textContent);
    part.textContent = text;
  }
}

/** Break a line that is too long after its shape, as fitted_lines in minipaddle/tools/picture/model/labels.py does. */
function fitted(line, said) {
  if (cellsOf(line) <= MOST_CELLS) return [line];
  if (line === said) return line.match(new RegExp(`\\S.{0,${MOST_CELLS - 1}}(?=\\s|$)`, "g")) ?? [line];
  const at = line.indexOf("] ");
  const result = at < 0 ? line : line.slice(0, at);
  const [, name, behind] = /^(.*)( \[[^[]*\])$/.exec(at < 0 ? line : `${result}]`) ?? [undefined, result, ""];
  const first = cutName(name, MOST_CELLS - behind.length) + behind;
  return at < 0 ? [first] : [first, cutCells(line.slice(at + 2), MOST_CELLS)];
}

const MOST_CELLS = 40;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u;
const cellsOf = (text) => [...text].reduce((sum, one) => sum + 1 + WIDE.test(one), 0);

/** Cut one name in its middle: ends tell the results of an operator apart. */
function cutName(name, most) {
  if (cellsOf(name) <= most || name.includes(", ")) return cutCells(name, most);
  const turned = (text) => [...text].reverse().join("");
  const end = turned(cutCells(turned(name), Math.floor(most / 2) + 1).slice(0, -1));
  return cutCells(name, most - cellsOf(end)) + end;
}

function cutCells(text, most) {
  if (cellsOf(text) <= most) return text;
  let found = "";
  for (const one of text) {
    if (cellsOf(found + one) >= most) break;
    found += one;
  }
  return `${found.trimEnd()}…`;
}

/** Say in the legend what widths mean, where some arrow has one. */
function sayWidths() {
  const isWide = ({ arrows }) => arrows.map((one) => ({ of: [one] })).map(widthsOf(arrows, book.widths)).some((width) => width !== null);
  document.querySelector(".legend .by-norm").hidden = !book.passes.some(isWide);
}

/** Squeeze a text that is wider than its box. */
function fit(text, group) {
  text.removeAttribute("textLength");
  const box = group.querySelector("rect")?.getBBox();
  if (!box || text.getComputedTextLength() <= box.width - 4) return;
  text.setAttribute("textLength", box.width - 4);
  text.setAttribute("lengthAdjust", "spacingAndGlyphs");
}

/** Return where each number lies between the smallest and the largest, and what the legend says. */
function scaled(sizes, words) {
  const finite = Object.values(sizes).filter(Number.isFinite);
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  const logarithmic = low > 0 && high > 20 * low;
  const on = logarithmic ? Math.log10 : (number) => number;
  const place = (number) => {
    if (!finite.length) return 1;
    if (!Number.isFinite(number)) return number < 0 ? 0 : 1;
    if (high > low) return (on(number) - on(low)) / (on(high) - on(low));
    return number ? 0.5 : 0;
  };
  const said = finite.length
    ? `§colour: ${words}, from ${brief(low)} (pale) to ${brief(high)} (strong)§${logarithmic ? "§, logarithmic§" : ""}`
    : `§colour: ${words} (no numbers)§`;
  const middle = logarithmic ? Math.sqrt(low * high) : (low + high) / 2;
  const ends = finite.length ? { low: brief(low), middle: brief(middle), high: brief(high) } : {};
  return { ...ends, words: said, places: Object.fromEntries(Object.entries(sizes).map(([id, one]) => [id, toEven(100 * place(one)) / 100])) };
}

/* ---- controls ------------------------------------------------------------------------------------------------------ */

/** Return a pass that can be pushed; nothing if its program does not run, and then the page says so. */
function pushOf(pass) {
  try {
    return pass.live?.program && new Push(pass);
  } catch {
    pass.live.why = "§The numbers here cannot be changed: the page is damaged§";
    return undefined;
  }
}

const pushes = new Map(book.passes.map((one) => [one, pushOf(one)]));
const push = () => pushes.get(data);

/** Show all that follows from a number. The panel is not made anew: what is dragged stands in it. */
function showPushed() {
  push().draw();
  for (const input of $("panel").querySelectorAll(".push input")) input.dispatchEvent(new Event("follow"));
  showColours();
  for (const item of document.querySelectorAll("#steps li")) item.textContent = sentenceOf(item.dataset.node);
  showSentence();
  const fact = data.facts[state.node];
  if (fact) {
    const says = $("panel").querySelector(".says");
    if (says) says.textContent = fact.says || fact.state;
    showValues($("values"), fact);
    showLines(fact);
  }
  showBar();
}

const sentenceOf = (id) => data.facts[id].says || data.facts[id].title;

function showBar() {
  const bar = $("push");
  bar.replaceChildren();
  bar.hidden = !data.live;
  if (!push()) {
    bar.textContent = data.live?.why ?? "";
    return;
  }
  bar.append(element("span", "§change a number:§"));
  for (const id of push().live.inputs) {
    const node = nodeOf(id);
    if (!node) continue;
    const button = element("button", data.facts[node].title);
    button.addEventListener("click", () => {
      choose(node);
      $("panel").querySelector(".push input")?.focus();
    });
    bar.append(button);
  }
  if (push().changed) {
    const button = element("button", "§reset§", "reset");
    button.addEventListener("click", resetPushed);
    bar.append(element("strong", "§other numbers than recorded§"), button);
  }
  if (push().live.told.length) bar.append(element("span", ["§As recorded:§", push().live.told.join("; ")].join(" ")));
}

function resetPushed() {
  push().reset();
  showSight();
  showBar();
}

/** Return the node that shows a value that can be changed. */
function nodeOf(id) {
  const is = (fact) => ["data", "parameter"].includes(fact.kind) && fact.results[0]?.id === id;
  return Object.keys(data.facts).find((node) => is(data.facts[node]));
}

/** Add boxes for the numbers of a leaf to the panel. */
function addBoxes(fact) {
  const id = fact.results[0]?.id;
  if (!push()?.live.inputs.includes(id) || nodeOf(id) !== fact.id) return;
  const shape = push().shape(id);
  const grid = element("div", undefined, "push");
  grid.style.setProperty("--columns", Math.min(shape.at(-1) ?? 1, 6));
  push().numbers(id).forEach((_, at) => grid.append(box(id, at, `${fact.title}${placeText(at, shape)}`)));
  $("values").before(element("h3", "§numbers, to be changed: drag, type, or press the arrow keys§"), grid);
}

function box(id, at, name) {
  const input = element("input");
  const now = () => push().numbers(id)[at];
  const step = 10 ** Math.floor(Math.log10(Math.max(Math.abs(now()), 0.1))) / 10 || 0.1;
  const show = () => {
    input.value = String(Number(now().toPrecision(6)));
    input.setAttribute("aria-valuenow", input.value);
  };
  const set = (number) => {
    if (Number.isFinite(number)) {
      push().set(id, at, number);
      showPushed();
      say(`${name} = ${brief(now())}`);
    } else say(`§"${input.value}" is no finite number: ${name} stays ${brief(now())}§`);
    show();
  };
  Object.entries({ role: "spinbutton", "aria-label": name, title: name, inputmode: "decimal" })
    .forEach((pair) => input.setAttribute(...pair));
  input.addEventListener("change", () => set(input.value.trim() ? Number(input.value.replace(",", ".")) : NaN));
  input.addEventListener("keydown", (event) => {
    const way = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (!way) return;
    event.preventDefault();
    set(Number((now() + way * step * (event.shiftKey ? 10 : 1)).toPrecision(6)));
  });
  input.addEventListener("follow", () => { if (input !== document.activeElement) show(); });
  const end = () => {
    push().held = false;
    showPushed();
  };
  drag(input, (pixels, began) => set(Number((began + pixels * step).toPrecision(6))), end, now);
  show();
  return input;
}

/** Let a box be dragged sideways; a click alone puts the cursor into it. */
function drag(input, onMove, onEnd, now) {
  let down = null;
  input.addEventListener("pointerdown", (event) => { down = { x: event.clientX, began: now(), far: false }; });
  input.addEventListener("pointermove", (event) => {
    if (!down) return;
    const pixels = Math.round((event.clientX - down.x) / 2);
    if (!down.far && Math.abs(pixels) < 2) return;
    if (!down.far) input.setPointerCapture(event.pointerId);
    down.far = push().held = true;
    event.preventDefault();
    onMove(pixels, down.began);
  });
  for (const end of ["pointerup", "pointercancel"])
    input.addEventListener(end, () => {
      if (down?.far) onEnd();
      down = null;
    });
}

$("panel").addEventListener("filled", (event) => addBoxes(event.detail));
document.addEventListener("shown", () => {
  showBar();
  push()?.draw();
});

showBar();
stage.settle(); // the bar may have taken room
showPanel(); // a link may have chosen a node already
