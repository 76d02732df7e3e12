import type { KeyboardEvent } from 'react'

export interface Cell {
  row: number
  column: number
}

export interface GridState {
  active: Cell
  /** The other corner of the selected range. */
  anchor: Cell
}

interface GridActions {
  /** With the headers of groups. */
  rowCount: number
  columnCount: number
  rowsPerPage: number
  canEdit: boolean
  move: (active: Cell, extends_: boolean) => void
  edit: (typed: string | null) => void
  toggle: () => boolean
  clear: () => void
  undo: () => void
  redo: () => void
  openRow: () => void
  removeRows: () => void
  selectAll: () => void
  /** Returns whether several cells were selected. */
  collapse: () => boolean
  /** Of the active cell. */
  openLink: () => boolean
  moveColumn: (by: 1 | -1) => void
  /** Of the group whose header is active. Null elsewhere. */
  toggleGroup: ((isCollapsed?: boolean) => void) | null
}

const clamp = (value: number, max: number) => Math.max(0, Math.min(value, max))

/** As in spreadsheets. Returns whether the key was used. */
export function handleGridKey(event: KeyboardEvent, { active }: GridState, grid: GridActions): boolean {
  const { key, shiftKey, altKey } = event
  const isMod = event.metaKey || event.ctrlKey
  if (event.nativeEvent.isComposing) return false
  const to = (row: number, column: number, extends_ = shiftKey) => {
    grid.move({ row: clamp(row, grid.rowCount - 1), column: clamp(column, grid.columnCount - 1) }, extends_)
    return true
  }
  const { row, column } = active
  const [lastRow, lastColumn] = [grid.rowCount - 1, grid.columnCount - 1]
  const { toggleGroup } = grid
  if (toggleGroup && (key === 'Enter' || key === ' ')) {
    toggleGroup()
    return true
  }
  if (toggleGroup && !isMod && (key === 'ArrowLeft' || key === 'ArrowRight')) {
    toggleGroup(key === 'ArrowLeft')
    return true
  }
  if (altKey && shiftKey && (key === 'ArrowLeft' || key === 'ArrowRight')) {
    grid.moveColumn(key === 'ArrowLeft' ? -1 : 1)
    return true
  }
  if (isMod && key.toLowerCase() === 'a') {
    grid.selectAll()
    return true
  }
  if (key === 'Escape') return grid.collapse()
  if (isMod && key === 'Enter') return grid.openLink()
  if (key === 'ArrowDown') return to(isMod ? lastRow : row + 1, column)
  if (key === 'ArrowUp') return to(isMod ? 0 : row - 1, column)
  if (key === 'ArrowRight') return to(row, isMod ? lastColumn : column + 1)
  if (key === 'ArrowLeft') return to(row, isMod ? 0 : column - 1)
  if (key === 'PageDown') return to(row + grid.rowsPerPage, column)
  if (key === 'PageUp') return to(row - grid.rowsPerPage, column)
  if (key === 'Home') return to(isMod ? 0 : row, 0)
  if (key === 'End') return to(isMod ? lastRow : row, lastColumn)
  if (key === ' ' && shiftKey) {
    grid.openRow()
    return true
  }
  if (key === 'Tab') {
    // At the ends, Tab leaves the grid.
    const next = column + (shiftKey ? -1 : 1)
    if (next < 0 || next > lastColumn) return false
    return to(row, next, false)
  }
  if (!grid.canEdit) return false
  if (isMod && key.toLowerCase() === 'z') {
    if (shiftKey) grid.redo()
    else grid.undo()
    return true
  }
  if (isMod && key.toLowerCase() === 'y') {
    grid.redo()
    return true
  }
  if (isMod && (key === 'Delete' || key === 'Backspace')) {
    grid.removeRows()
    return true
  }
  if (key === 'Delete' || key === 'Backspace') {
    grid.clear()
    return true
  }
  if ((key === 'Enter' && !shiftKey) || key === 'F2') {
    if (!grid.toggle()) grid.edit(null)
    return true
  }
  if (isMod || altKey || toggleGroup || key.length !== 1) return false
  if (key === ' ' && grid.toggle()) return true
  grid.edit(key)
  return true
}
