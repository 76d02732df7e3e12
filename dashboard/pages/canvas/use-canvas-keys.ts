import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  BringToFront,
  CircleHelp,
  ClipboardCopy,
  ClipboardPaste,
  Copy,
  CopyPlus,
  Group,
  Lock,
  Magnet,
  Map as MapIcon,
  Maximize,
  Pencil,
  Redo2,
  Scan,
  Scissors,
  SendToBack,
  Spline,
  SquareCheck,
  SquareMousePointer,
  Trash2,
  Undo2,
  Ungroup,
  X,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import { type PageKey, usePageKeys } from '../../frame/page-keys.ts'
import { openOverlay } from '../../state/overlay.ts'
import { copy, cut, duplicate, pasteAgain } from './actions/clipboard.ts'
import * as acts from './actions/editing.ts'
import { keep, nextConnection } from './actions/keyboard-navigation.ts'
import { connectHere, letGo } from './actions/modes.ts'
import { toggleDone } from './actions/toggle-done.ts'
import { isOnCanvas } from './flow/focus.ts'
import type { OpenCanvas } from './open-canvas.ts'
import { TOOLS, takeTool } from './tools/tools.ts'

const STEP = 1
const LEAP = 10
const GRID = 16
const PAN = 80

/** The keys of a canvas. Those that change it are for whoever may. */
export function useCanvasKeys(canvas: OpenCanvas) {
  const canEdit = canvas.editable.use()
  const on = (act: () => unknown) => () => (isOnCanvas(canvas.view.element()) ? act() : false)
  usePageKeys([
    ...(canEdit ? editingKeys(canvas, on) : []),
    ...lookingKeys(canvas, on),
    ...arrowKeys(canvas, canEdit, on),
  ])
}

type On = (act: () => unknown) => PageKey['run']

function editingKeys(canvas: OpenCanvas, on: On): PageKey[] {
  const tools = TOOLS.map(
    ({ tool, label, keys, icon }): PageKey => ({
      label,
      keys,
      icon,
      run: () => takeTool(canvas, tool),
    }),
  )
  return [
    ...tools,
    {
      label: 'Write in the block',
      keys: 'Enter',
      icon: Pencil,
      run: on(() => connectHere(canvas) || acts.edit(canvas)),
    },
    { label: 'Rename the block', keys: 'F2', icon: Pencil, run: on(() => acts.edit(canvas, 'title')) },
    {
      label: 'Tick the task',
      keys: ' ',
      icon: SquareCheck,
      run: on(() => toggleDone(canvas.store, canvas.board.selection.get().blocks)),
    },
    { label: 'Connect', keys: 'c', icon: Spline, run: on(() => acts.connectChosen(canvas)) },
    { label: 'Undo', keys: 'mod+z', icon: Undo2, run: () => acts.undo(canvas) },
    { label: 'Redo', keys: 'mod+shift+z', icon: Redo2, run: () => acts.redo(canvas) },
    { label: 'Redo', keys: 'mod+y', icon: Redo2, unlisted: true, run: () => acts.redo(canvas) },
    { label: 'Duplicate', keys: 'mod+d', icon: CopyPlus, run: on(() => duplicate(canvas)) },
    // With keys the browser itself cuts and pastes, and tells the canvas: only so it hands over the clipboard.
    { label: 'Cut', keys: 'mod+x', icon: Scissors, run: (event) => !event && cut(canvas) },
    { label: 'Paste', keys: 'mod+v', icon: ClipboardPaste, run: (event) => !event && pasteAgain(canvas) },
    { label: 'Remove', keys: 'Delete', icon: Trash2, run: on(() => acts.removeChosen(canvas)) },
    {
      label: 'Remove',
      keys: 'Backspace',
      icon: Trash2,
      unlisted: true,
      run: on(() => acts.removeChosen(canvas)),
    },
    { label: 'Group', keys: 'mod+g', icon: Group, run: on(() => acts.group(canvas)) },
    { label: 'Ungroup', keys: 'mod+shift+g', icon: Ungroup, run: on(() => acts.ungroup(canvas)) },
    { label: 'Lock or unlock', keys: 'mod+shift+l', icon: Lock, run: on(() => acts.toggleLock(canvas)) },
    { label: 'Bring to front', keys: ']', icon: BringToFront, run: on(() => acts.stack(canvas, 'front')) },
    { label: 'Send to back', keys: '}', icon: SendToBack, run: on(() => acts.stack(canvas, 'back')) },
    { label: 'Snap to the grid', keys: 'G', icon: Magnet, run: canvas.desk.snaps.toggle },
  ]
}

function lookingKeys(canvas: OpenCanvas, on: On): PageKey[] {
  const { view, store, board, desk } = canvas
  const all = () => [...store.items.blocks.values()]
  const chosen = () => [...board.selection.get().blocks].flatMap((id) => store.items.blocks.get(id) ?? [])
  return [
    { label: 'Keep the block chosen', keys: 'x', icon: SquareCheck, run: on(() => keep(canvas)) },
    { label: 'Next connection', keys: 'e', icon: Spline, run: on(() => nextConnection(canvas)) },
    {
      label: 'Choose all',
      keys: 'mod+a',
      icon: SquareMousePointer,
      run: on(() => board.select(store.items.blocks.keys())),
    },
    { label: 'Copy', keys: 'mod+c', icon: ClipboardCopy, run: (event) => !event && copy(canvas) },
    { label: 'Let go', keys: 'Escape', icon: X, unlisted: true, run: on(() => letGo(canvas)) },
    { label: 'Menu of the block', keys: 'shift+F10', icon: Copy, run: on(() => openMenu(canvas)) },
    {
      label: 'Menu of the block',
      keys: 'ContextMenu',
      icon: Copy,
      unlisted: true,
      run: on(() => openMenu(canvas)),
    },
    { label: 'See everything', keys: 'shift+1', icon: Maximize, run: () => view.fit(all()) },
    { label: 'See what is chosen', keys: 'shift+2', icon: Scan, run: () => view.fit(chosen()) },
    { label: 'Zoom in', keys: '+', icon: ZoomIn, run: () => view.zoomIn() },
    { label: 'Zoom in', keys: '=', icon: ZoomIn, unlisted: true, run: () => view.zoomIn() },
    { label: 'Zoom out', keys: '-', icon: ZoomOut, run: () => view.zoomOut() },
    { label: 'Real size', keys: '0', icon: Scan, run: () => view.zoomTo(1) },
    { label: 'Show or hide the map', keys: 'm', icon: MapIcon, run: desk.map.toggle },
    ...(canvas.isGuest
      ? [{ label: 'Keyboard shortcuts', keys: '?', icon: CircleHelp, run: () => openOverlay('shortcuts') }]
      : []),
  ]
}

const ARROWS = [
  { key: 'ArrowLeft', icon: ArrowLeft, x: -1, y: 0 },
  { key: 'ArrowRight', icon: ArrowRight, x: 1, y: 0 },
  { key: 'ArrowUp', icon: ArrowUp, x: 0, y: -1 },
  { key: 'ArrowDown', icon: ArrowDown, x: 0, y: 1 },
]

/** Move what is chosen, or else the view. */
function arrowKeys(canvas: OpenCanvas, canEdit: boolean, on: On): PageKey[] {
  const { board, view, desk } = canvas
  return ARROWS.flatMap(({ key, icon, x, y }, index) =>
    [STEP, LEAP].map(
      (length): PageKey => ({
        label: length === LEAP ? 'Move by 10' : 'Move what is chosen, or the view',
        keys: length === LEAP ? `shift+${key}` : key,
        icon,
        ...(index > 0 && { unlisted: true }),
        run: on(() => {
          const step = desk.snaps.get() ? GRID : length
          const isChosen = board.selection.get().blocks.size > 0
          if (isChosen && canEdit) return acts.nudge(canvas, x * step, y * step)
          view.panBy(-x * PAN, -y * PAN)
        }),
      }),
    ),
  )
}

/** At the block itself, where the pointer would be. */
function openMenu(canvas: OpenCanvas) {
  const [id] = canvas.board.selection.get().blocks
  const box = id && document.querySelector(`.react-flow__node[data-id="${id}"]`)?.getBoundingClientRect()
  if (!box) return false
  canvas.desk.menu.set({ x: box.x + Math.min(box.width / 2, 80), y: box.y + Math.min(box.height / 2, 40) })
}
