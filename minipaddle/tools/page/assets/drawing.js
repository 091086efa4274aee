/* The picture: a sight, laid out, as SVG. Groups stay when something opens or closes: they only move.
 *
 * `group` is the element of a node, `line` that of an arrow: who shows other numbers writes there.
 */

const SVG = document.querySelector(".view svg").namespaceURI; // of the empty one that the picture takes the place of

function shapeOf(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

const LISTED = 4; // parameters of a closed layer that are named in its box
const DASHED = { saved: "5 4", cut: "5 4", update: "1 4", write: "1 4" };
const HEADS = { value: "M0,0L10,5L0,10z", gradient: "M0,0L10,5L0,10z", update: "M0,0L10,5L0,10z", write: "M0,0L10,5L0,10z", cut: "M6,0L9,0L9,10L6,10z" };

class Drawing {
  /** `prefix` is what the ids of its parts begin with; `opens`: whether frames and what is closed can be clicked. */
  constructor(room, title, prefix = "n", opens = true) {
    Object.assign(this, { prefix, opens });
    this.svg = shapeOf("svg", { role: "group", "aria-label": title, "font-size": 11 });
    this.layers = Object.fromEntries(["edges", "nodes"].map((name) => [name, shapeOf("g", { class: name })]));
    this.svg.append(this.markers(), ...Object.values(this.layers));
    room.replaceChildren(this.svg);
    this.groups = new Map(); // node -> its element
  }

  markers() {
    const all = shapeOf("defs", {});
    for (const [kind, path] of Object.entries(HEADS)) {
      const head = shapeOf("marker", { id: `${this.prefix}.head-${kind}`, class: `kind-${kind}`, viewBox: "0 0 10 10", refX: 9, refY: 5,
        markerUnits: "userSpaceOnUse", markerWidth: 9, markerHeight: 9, orient: "auto-start-reverse" });
      head.append(shapeOf("path", { d: path, class: "head" }));
      all.append(head);
    }
    return all;
  }

  /** Where all of a sight would stand. */
  laidOut(sight, layout) {
    this.sight = sight;
    return new Layout(sight, layout, (id, number) => this.linesOf(id, number));
  }

  /** Draw a sight. Returns the box around all of it. */
  show(sight, layout) {
    this.layout = this.laidOut(sight, layout);
    const { boxes, chips } = this.layout;
    for (const [id, group] of this.groups) if (!boxes.has(id)) { group.remove(); this.groups.delete(id); }
    for (const [id, box] of boxes) this.place(box, chips.get(id) ?? sight.nodes.get(id));
    this.layers.nodes.replaceChildren(...this.inOrder());
    this.widthOf = widthsOf(sight.pass.arrows, book.widths);
    this.bundle = null;
    this.layers.edges.replaceChildren(...this.layout.edges.map((edge, place) => this.arrow(edge, this.layout.routes[place])));
    return { x: 0, y: 0, width: this.layout.width, height: this.layout.height };
  }

  /** All that can be chosen, as it is read: the title of a frame, then what is in it; what a node uses, then the node. */
  inOrder() {
    const { boxes, chips, frames } = this.layout;
    const waiting = new Map(frames.map((frame) => [frame.id, this.frame(frame)]));
    const used = groupsOf(chips.values(), (chip) => chip.user);
    const all = [];
    for (const [id, fact] of this.sight.nodes) {
      for (const frame of [...this.sight.framesAround(fact)].reverse()) {
        if (waiting.has(frame)) all.push(waiting.get(frame));
        waiting.delete(frame);
      }
      all.push(...(used.get(id) ?? []).map((chip) => this.groups.get(chip.id)), ...(boxes.has(id) ? [this.groups.get(id)] : []));
    }
    return all;
  }

  /** What is written in a node: + if it can be opened, and the number that it shares with its chips. */
  linesOf(id, number) {
    const { kind, count, lines: [first = "", ...rest] } = this.sight.nodes.get(id);
    const held = count > 1 ? [] : this.sight.parametersIn(id);
    const { frames, bodies } = this.sight.pass;
    const isLoop = this.canOpen(id) && Object.values(frames).some(({ parent, iteration }) => iteration && parent === bodies.get(id));
    const title = isLoop ? frames[bodies.get(id)].title : first; // how many iterations it has
    return [`${this.canOpen(id) && kind !== "accumulate" ? "+ " : ""}${title}${number ? ` ${circled(number)}` : ""}`, ...rest,
      ...(held.length > LISTED ? [] : inLines(held))];
  }

  written(id) {
    return this.layout.joined(id, this.linesOf(id, this.layout.numbers.get(id)));
  }

  canOpen(id) {
    return this.opens && whatOpens(this.sight, id) !== null;
  }

  place(box, fact) {
    const isChip = fact.kind === "chip";
    const lines = isChip ? fact.lines : this.written(box.id);
    const known = this.groups.get(box.id);
    const same = known && known.dataset.words === lines.join("\n") && known.dataset.size === `${box.width} ${box.height}` && known.classList.contains(`role-${fact.role}`);
    const group = same ? known : this.made(box, fact, lines);
    group.setAttribute("transform", `translate(${round(box.x)},${round(box.y)})`);
    this.groups.set(box.id, group);
  }

  made(box, fact, lines) {
    const isChip = fact.kind === "chip";
    const node = isChip ? fact.of : box.id;
    const opens = !isChip && this.canOpen(box.id);
    const chipped = isChip || this.layout.numbers.has(box.id);
    const group = shapeOf("g", {
      id: `${this.prefix}.${box.id}`, class: `node role-${fact.role} ${fact.kind}${chipped ? " chipped" : ""}${opens ? " toggles" : ""}`,
      tabindex: 0, role: "button", ...(opens ? { "aria-expanded": "false" } : {}), // its name is what stands in it
      "data-node": node, "data-words": lines.join("\n"), "data-size": `${box.width} ${box.height}`,
    });
    const { width, height } = box;
    group.append(
      shapeOf("title", {}, (isChip ? lines : fact.lines).join("\n") + placeOf(fact)),
      shapeOf("rect", { width, height, rx: radiusOf(box) }),
      ...lines.map((line, number) => shapeOf("text", { x: width / 2, y: height / 2 + (number - lines.length / 2) * LINE + 10.5 }, line)));
    this.groups.get(box.id)?.replaceWith(group);
    return group;
  }

  arrow(edge, { path, label, bundle, spread }) {
    const { kind } = edge;
    const tail = this.layout.chips.get(edge.tail)?.of ?? edge.tail;
    const group = shapeOf("g", { id: `${this.prefix}.${edge.id}`, class: `edge kind-${kind}`, "data-tail": tail, "data-head": edge.head });
    const short = (way) => way.replace(/\d+\.\d+/g, (number) => round(Number(number)));
    const line = shapeOf("path", { d: short(path), fill: "none" });
    if (bundle) Object.assign(group.dataset, { bundle, spread: short(spread) });
    if (DASHED[kind]) line.setAttribute("stroke-dasharray", DASHED[kind]);
    if (kind !== "saved") line.setAttribute("marker-end", `url(#${this.prefix}.head-${kind})`);
    widen(group, kind, this.widthOf(edge.of));
    group.append(shapeOf("title", {}, edge.skips ? `${kind}: ${tally(edge.names)}, §added at the end of the layer§` : edge.label ? `${kind}: ${edge.label}` : kind), line);
    const words = this.wordsAt(edge);
    if (words && label) group.append(shapeOf("text", { x: round(label.x), y: round(label.y), "text-anchor": label.anchor }, words));
    return group;
  }

  wordsAt(edge) {
    return edge.chip && edge.kind !== "cut" ? "" : this.layout.labelOf(edge);
  }

  frame({ id, x, y, width, height, title: at }) {
    const title = this.sight.titleOf(id);
    const { earlier, side } = this.sight.pass.frames[id];
    const kind = `frame${this.opens ? " toggles" : ""}${earlier && side === "forward" ? " earlier" : ""}`;
    const button = this.opens ? { tabindex: 0, role: "button", "aria-expanded": "true" } : {};
    const group = shapeOf("g", { id: `${this.prefix}.${id}`, class: kind, "data-frame": id, ...button });
    group.append(
      shapeOf("title", {}, title),
      shapeOf("rect", { x: round(x), y: round(y), width: round(width), height: round(height), rx: 8 }),
      shapeOf("text", { x: round(at), y: round(y + 12) }, this.opens ? `− ${title}` : title));
    return group;
  }

  group(id) {
    return this.groups.get(id) ?? null;
  }

  /** Spread a bundle of arrows, and draw the one before together again; null: none is spread. */
  spread(bundle) {
    if (this.bundle === bundle) return;
    for (const arrow of this.layers.edges.children) {
      const { dataset, lastChild: line } = arrow;
      if (!dataset.bundle || ![bundle, this.bundle].includes(dataset.bundle)) continue;
      const way = line.getAttribute("d");
      line.setAttribute("d", dataset.spread);
      dataset.spread = way;
    }
    this.bundle = bundle;
  }

  /** The element of an arrow. */
  line(edge) {
    return $(`${this.prefix}.${edge.id}`);
  }
}

/** Short texts, as many in a line as have room there. */
function inLines(texts, apart = ", ", most = LONGEST) {
  const lines = [];
  for (const text of texts) {
    const longer = `${lines.at(-1)}${apart}${text}`;
    if (lines.length && longer.length <= most) lines[lines.length - 1] = longer;
    else lines.push(text);
  }
  return lines;
}

/** The lines of a node in lines of so many letters: a long one is broken before its shape, or its numbers. */
function filled(lines, most) {
  const short = lines.flatMap((line) => (line.length > most ? inLines(line.split(/ (?=\[)|(?<=\]) /), " ", most) : [line]));
  const [title, ...rest] = short; // what can be opened has a title of its own
  return title.startsWith("+ ") ? [title, ...inLines(rest, " · ", most)] : inLines(short, " · ", most);
}

const placeOf = ({ file, line }) => (file ? `\n${file}:${line}` : "");

/** Make the arrow of a gradient as wide as its norm says, where it says anything. */
function widen(group, kind, width) {
  if (kind === "gradient" && width !== null) group.style.setProperty("--width", width);
  else group.style.removeProperty("--width");
}

const round = (number) => Math.round(number * 10) / 10;
