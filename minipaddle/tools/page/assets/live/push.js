/* A pass that can be pushed: it has other numbers in `data`, which the rest of the script shows as it shows any.
 *
 * `reset` brings back the recorded ones. Read before: fields.js; read next: live.js.
 */

class Push {
  constructor(pass) {
    this.pass = pass;
    this.live = pass.live;
    this.program = new Program(this.live.program);
    this.formulas = new Formulas(this.live.formulas, this.program.arrays, this.live.texts);
    this.gradients = new Set(this.live.gradients);
    this.recorded = structuredClone({ facts: pass.facts });
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
    const title = fitted(sign + first, fact.state, fact.kind.startsWith("layer") ? LONG_TITLE : MOST_CELLS);
    fact.lines = [...title, ...rest.flatMap((line) => fitted(line, fact.state, MOST_CELLS))];
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
    const isWhole = (id) => shape(id).querySelectorAll("text").length === drawing.written(id).length;
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
    const lines = drawing.written(id);
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
function fitted(line, said, most) {
  if (cellsOf(line) <= most) return [line];
  if (line === said) return line.match(new RegExp(`\\S.{0,${most - 1}}(?=\\s|$)`, "g")) ?? [line];
  const at = line.indexOf("] ");
  const result = at < 0 ? line : line.slice(0, at);
  const [, name, behind] = /^(.*)( \[[^[]*\])$/.exec(at < 0 ? line : `${result}]`) ?? [undefined, result, ""];
  const first = cutName(name, most - behind.length) + behind;
  return at < 0 ? [first] : [first, cutList(line.slice(at + 2), most)];
}

const MOST_CELLS = 40, LONG_TITLE = 56;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u;
const cellsOf = (text) => [...text].reduce((sum, one) => sum + 1 + WIDE.test(one), 0);

/** Cut one name in its middle: ends tell the results of an operator apart. */
function cutName(name, most) {
  if (cellsOf(name) <= most || name.includes(", ")) return cutList(name, most);
  const turned = (text) => [...text].reverse().join("");
  const end = turned(cutCells(turned(name), Math.floor(most / 2) + 1).slice(0, -1));
  return cutCells(name, most - cellsOf(end)) + end;
}

/** Cut a list between two of its parts. */
function cutList(text, most) {
  const short = cutCells(text, most);
  return short === text ? text : short.replace(/, [^,]*$/, ", …");
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
