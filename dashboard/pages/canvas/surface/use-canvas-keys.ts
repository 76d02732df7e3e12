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
  MessageSquare,
  Pencil,
  Play,
  Presentation,
  Redo2,
  Ruler,
  Scan,
  Scissors,
  SendToBack,
  Sparkles,
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
import { t } from '../../../../contract/text.ts'
import { toast } from '../../../components/toast.tsx'
import { type PageKey, usePageKeys } from '../../../frame/page-keys.ts'
import { openOverlay } from '../../../state/overlay.ts'
import { runSelected } from '../actions/agent-runs.ts'
import { askAboutSelection, commentOnSelected } from '../actions/ask.ts'
import { copy, cut, duplicate, pasteLastCopied } from '../actions/clipboard.ts'
import * as editing from '../actions/editing.ts'
import { toggleDone } from '../actions/editing.ts'
import { focusTasks, selectNextConnection, togglePinned } from '../actions/keyboard-navigation.ts'
import { present } from '../actions/present.ts'
import { cancelMode, confirmMode, SHAPE_TOOLS, selectTool, TOOLS } from '../actions/tools.ts'
import { findBlockElement, isOnCanvas } from '../flow/focus.ts'
import type { OpenCanvas } from '../open-canvas.ts'

const STEP = 1
const STEP_LARGE = 10
const GRID = 16
const PAN_STEP = 80

/** Editing shortcuts are for editors only. */
export function useCanvasKeys(canvas: OpenCanvas) {
  const canEdit = canvas.editable.use()
  const on = (action: () => unknown) => () => (isOnCanvas(canvas.view.element()) ? action() : false)
  usePageKeys([
    ...(canEdit ? editingKeys(canvas, on) : []),
    ...viewKeys(canvas, on),
    ...arrowKeys(canvas, canEdit, on),
  ])
}

/** Runs an action only while the canvas has focus. */
type On = (action: () => unknown) => PageKey['run']

function editingKeys(canvas: OpenCanvas, on: On): PageKey[] {
  const tools = [...TOOLS, ...SHAPE_TOOLS].map(
    ({ tool, label, keys, icon }): PageKey => ({
      label,
      keys,
      icon,
      run: () => selectTool(canvas, tool),
    }),
  )
  return [
    ...tools,
    {
      label: t`Edit block`,
      keys: 'Enter',
      icon: Pencil,
      run: on(() => confirmMode(canvas) || editing.edit(canvas)),
    },
    { label: t`Run agent block`, keys: 'mod+Enter', icon: Play, run: on(() => runSelected(canvas)) },
    ...(canvas.isGuest
      ? []
      : [{ label: t`Ask an agent`, keys: 'q', icon: Sparkles, run: on(() => askAboutSelection(canvas)) }]),
    { label: t`Rename block`, keys: 'F2', icon: Pencil, run: on(() => editing.edit(canvas, 'title')) },
    {
      label: t`Toggle task`,
      keys: ' ',
      icon: SquareCheck,
      run: on(() => toggleDone(canvas.store, canvas.viewModel.selection.get().blocks) || focusTasks(canvas)),
    },
    { label: t`Connect`, keys: 'C', icon: Spline, run: on(() => editing.connectSelected(canvas)) },
    { label: t`Undo`, keys: 'mod+z', icon: Undo2, run: () => editing.undo(canvas) },
    { label: t`Redo`, keys: 'mod+shift+z', icon: Redo2, run: () => editing.redo(canvas) },
    { label: t`Redo`, keys: 'mod+y', icon: Redo2, unlisted: true, run: () => editing.redo(canvas) },
    { label: t`Duplicate`, keys: 'mod+d', icon: CopyPlus, run: on(() => duplicate(canvas)) },
    // The browser's own clipboard events are the only way to reach the clipboard without a prompt.
    { label: t`Cut`, keys: 'mod+x', icon: Scissors, run: (event) => !event && cut(canvas) },
    {
      label: t`Paste`,
      keys: 'mod+v',
      icon: ClipboardPaste,
      run: (event) => !event && pasteLastCopied(canvas),
    },
    { label: t`Remove`, keys: 'Delete', icon: Trash2, run: on(() => editing.removeSelected(canvas)) },
    {
      label: t`Remove`,
      keys: 'Backspace',
      icon: Trash2,
      unlisted: true,
      run: on(() => editing.removeSelected(canvas)),
    },
    { label: t`Group`, keys: 'mod+g', icon: Group, run: on(() => editing.group(canvas)) },
    { label: t`Ungroup`, keys: 'mod+shift+g', icon: Ungroup, run: on(() => editing.ungroup(canvas)) },
    { label: t`Lock or unlock`, keys: 'mod+shift+l', icon: Lock, run: on(() => editing.toggleLock(canvas)) },
    {
      label: t`Bring to front`,
      keys: ']',
      icon: BringToFront,
      run: on(() => editing.stack(canvas, 'front')),
    },
    { label: t`Send to back`, keys: '}', icon: SendToBack, run: on(() => editing.stack(canvas, 'back')) },
    { label: t`Snap to blocks`, keys: "'", icon: Ruler, run: () => toggleSnapToBlocks(canvas) },
    { label: t`Snap to grid`, keys: 'G', icon: Magnet, run: canvas.ui.snapToGrid.toggle },
  ]
}

function viewKeys(canvas: OpenCanvas, on: On): PageKey[] {
  const { view, store, viewModel, ui } = canvas
  const all = () => [...store.items.blocks.values()]
  const selected = () =>
    [...viewModel.selection.get().blocks].flatMap((id) => store.items.blocks.get(id) ?? [])
  return [
    ...(canvas.canComment
      ? [{ label: t`Comment`, keys: 'c', icon: MessageSquare, run: on(() => commentOnSelected(canvas)) }]
      : []),
    { label: t`Add block to selection`, keys: 'x', icon: SquareCheck, run: on(() => togglePinned(canvas)) },
    { label: t`Next connection`, keys: 'e', icon: Spline, run: on(() => selectNextConnection(canvas)) },
    {
      label: t`Select all`,
      keys: 'mod+a',
      icon: SquareMousePointer,
      run: on(() => viewModel.select(store.items.blocks.keys())),
    },
    { label: t`Copy`, keys: 'mod+c', icon: ClipboardCopy, run: (event) => !event && copy(canvas) },
    {
      label: t`Cancel`,
      keys: 'Escape',
      icon: X,
      unlisted: true,
      // Following ends wherever the focus is, such as on the participant's face.
      run: (event) => (ui.following.get() ? ui.following.set(null) : on(() => cancelMode(canvas))(event)),
    },
    { label: t`Open menu`, keys: 'shift+F10', icon: Copy, run: on(() => openMenu(canvas)) },
    {
      label: t`Open menu`,
      keys: 'ContextMenu',
      icon: Copy,
      unlisted: true,
      run: on(() => openMenu(canvas)),
    },
    { label: t`Fit to screen`, keys: 'shift+1', icon: Maximize, run: () => view.fit(all()) },
    { label: t`Zoom to selection`, keys: 'shift+2', icon: Scan, run: () => view.fit(selected()) },
    { label: t`Zoom in`, keys: '+', icon: ZoomIn, run: () => view.zoomIn() },
    { label: t`Zoom in`, keys: '=', icon: ZoomIn, unlisted: true, run: () => view.zoomIn() },
    { label: t`Zoom out`, keys: '-', icon: ZoomOut, run: () => view.zoomOut() },
    { label: t`Zoom to 100%`, keys: '0', icon: Scan, run: () => view.zoomTo(1) },
    { label: t`Present`, keys: 'P', icon: Presentation, run: () => present(canvas) },
    { label: t`Toggle minimap`, keys: 'm', icon: MapIcon, run: ui.map.toggle },
    ...(canvas.isGuest
      ? [{ label: t`Keyboard shortcuts`, keys: '?', icon: CircleHelp, run: () => openOverlay('shortcuts') }]
      : []),
  ]
}

const ARROWS = [
  { key: 'ArrowLeft', icon: ArrowLeft, x: -1, y: 0 },
  { key: 'ArrowRight', icon: ArrowRight, x: 1, y: 0 },
  { key: 'ArrowUp', icon: ArrowUp, x: 0, y: -1 },
  { key: 'ArrowDown', icon: ArrowDown, x: 0, y: 1 },
]

/** Moves the selection, or pans if nothing is selected. */
function arrowKeys(canvas: OpenCanvas, canEdit: boolean, on: On): PageKey[] {
  const { viewModel, view, ui } = canvas
  return ARROWS.flatMap(({ key, icon, x, y }, index) =>
    [STEP, STEP_LARGE].map(
      (length): PageKey => ({
        label: length === STEP_LARGE ? t`Move by 10` : t`Move selection or pan`,
        keys: length === STEP_LARGE ? `shift+${key}` : key,
        icon,
        ...(index > 0 && { unlisted: true }),
        run: on(() => {
          const step = ui.snapToGrid.get() ? GRID : length
          const isSelected = viewModel.selection.get().blocks.size > 0
          if (isSelected && canEdit) return editing.nudge(canvas, x * step, y * step)
          view.panBy(-x * PAN_STEP, -y * PAN_STEP)
        }),
      }),
    ),
  )
}

function toggleSnapToBlocks({ ui }: OpenCanvas) {
  ui.snapToBlocks.toggle()
  toast(ui.snapToBlocks.get() ? t`Blocks snap to each other` : t`Blocks no longer snap to each other`)
}

function openMenu(canvas: OpenCanvas) {
  const { blocks, edges } = canvas.viewModel.selection.get()
  const [block] = blocks
  const [edge] = edges
  const element = block ? findBlockElement(block) : edge ? edgeElement(edge) : null
  const box = element?.getBoundingClientRect()
  if (!box) return false
  canvas.ui.menu.set({ x: box.x + Math.min(box.width / 2, 80), y: box.y + Math.min(box.height / 2, 40) })
}

const edgeElement = (id: string) =>
  document.querySelector(`.react-flow__edge[data-id="${CSS.escape(id)}"] path`)
