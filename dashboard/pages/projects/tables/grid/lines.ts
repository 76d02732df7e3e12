import type { RowGroup } from '../../../../api/tables.ts'

/** A group as the grid shows it. Its rows are `count` rows from `start`, in the order of the server. */
export interface Section {
  id: string
  /** Null for the rows after the last group that the server lists. */
  group: RowGroup | null
  start: number
  count: number
  isCollapsed: boolean
  /** Of its header. */
  line: number
}

export interface Lines {
  count: number
  sections: readonly Section[] | null
  /** Of the table's rows; null for a group's header. */
  rowOf: (line: number) => number | null
  sectionOf: (line: number) => Section | null
}

export const sectionId = ({ key }: RowGroup) =>
  JSON.stringify(typeof key === 'object' && key !== null && 'id' in key ? key.id : key)

/** Without groups, each line is a row. */
export function layOut(
  rowCount: number,
  groups: readonly RowGroup[] | null,
  collapsed: ReadonlySet<string>,
): Lines {
  if (!groups) return { count: rowCount, sections: null, rowOf: (line) => line, sectionOf: () => null }
  const sections: Section[] = []
  let [start, line] = [0, 0]
  function add(id: string, group: RowGroup | null, count: number) {
    const isCollapsed = collapsed.has(id)
    sections.push({ id, group, start, count, isCollapsed, line })
    start += count
    line += 1 + (isCollapsed ? 0 : count)
  }
  for (const group of groups) add(sectionId(group), group, group.count)
  if (start < rowCount) add('rest', null, rowCount - start)
  const sectionOf = (at: number) => sections[findLast(sections, at)] ?? null
  return {
    count: line,
    sections,
    sectionOf,
    rowOf(at) {
      const section = sectionOf(at)
      return section && at > section.line ? section.start + at - section.line - 1 : null
    },
  }
}

/** The last section that begins at or before a line. */
function findLast(sections: readonly Section[], line: number): number {
  let [low, high] = [0, sections.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (sections[middle]!.line <= line) low = middle
    else high = middle - 1
  }
  return low
}
