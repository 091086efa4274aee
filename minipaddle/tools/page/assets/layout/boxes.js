/* Boxes, as large as what is written in them, and the columns that they stand in. Read next: layout.js. */

const LINE = 13; // of text

/** The columns of strip 0 and of those outside of it: below 0 forward, where a spine has its leaves and chips on its left;
 * above 0 the way back, with sums for gradients, these gradients, and then updates, on the right of a spine. */
function columnKey({ side, kind }, isBeside, strip) {
  if (side === "forward") return isBeside ? -2 * strip - 2 : -2 * strip - 1;
  if (side === "update") return 4 * strip + (isBeside ? 3 : 4);
  return 4 * strip + (isBeside ? (kind === "accumulate" ? 2 : 3) : 1);
}

/** The columns in which anything stands, numbered from the left. */
class Columns {
  constructor(keys) {
    this.keys = [...new Set(keys)].sort((one, other) => one - other);
    this.numbers = new Map(this.keys.map((key, number) => [key, number]));
    this.count = this.keys.length;
  }

  isForward(column) {
    return this.keys[column] < 0;
  }

  isSpine(column) {
    const key = this.keys[column];
    return key < 0 ? key % 2 !== 0 : key % 4 === 1;
  }
}

const brush = document.createElement("canvas").getContext("2d");

brush.font = '11px Helvetica, Arial, "Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", sans-serif';
const measured = new Map(); // a text that stands in many places, and in every sight, is measured once

function widthOf(text) {
  if (!measured.has(text)) measured.set(text, brush.measureText(text).width);
  return measured.get(text);
}

function boxOf(id, lines, kind, column, isLow = false) {
  const [pad, high] = kind === "chip" ? [12, 4] : [20, isLow ? 6 : 8];
  const height = lines.length * LINE + high;
  const across = lines.map((one, place) => widthOf(one) + 2 * insetOf(kind, height, place - (lines.length - 1) / 2));
  const width = Math.max(...across);
  if (kind === "accumulate" && lines.length === 1 && width < 14) return { id, kind, column, width: 24, height: 24 };
  return { id, kind, column, width: Math.ceil(width + pad), height };
}

/** How far a round end reaches into a line of text that stands so many lines from the middle, beyond the usual margin. */
function insetOf(kind, height, lines) {
  const radius = height * (ROUND[kind] ?? 0);
  const past = Math.min(radius, Math.abs(lines) * LINE + 4);
  return kind === "accumulate" ? 0 : Math.max(0, radius - Math.sqrt(radius * radius - past * past) - 6);
}
