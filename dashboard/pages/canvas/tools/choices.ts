import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalDistributeCenter,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalDistributeCenter,
  BringToFront,
  ClipboardCopy,
  ClipboardPaste,
  CopyPlus,
  Download,
  ExternalLink,
  Group,
  Lock,
  LockOpen,
  type LucideIcon,
  Maximize,
  Pencil,
  Scissors,
  SendToBack,
  Spline,
  SquareCheck,
  SquareMousePointer,
  TextCursorInput,
  Trash2,
  Type,
  Ungroup,
} from 'lucide-react'
import type { Side } from '../actions/arrange.ts'
import { copy, cut, duplicate, pasteAgain } from '../actions/clipboard.ts'
import * as acts from '../actions/editing.ts'
import { toggleDone } from '../actions/toggle-done.ts'
import { bytesUrl } from '../blocks/picture.ts'
import { safeHref } from '../markdown/inline.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import type { Block } from '../store/items.ts'

/** Something that can be done with what is chosen. */
export interface Choice {
  label: string
  icon: LucideIcon
  keys?: string
  run: () => unknown
}

/** What the menu offers, in parts. */
export function choicesFor(canvas: OpenCanvas, at: { x: number; y: number }): Choice[][] {
  const { blocks, edges } = canvas.board.selection.get()
  const chosen = [...blocks].flatMap((id) => canvas.store.items.blocks.get(id) ?? [])
  const canEdit = canvas.editable.get()
  const parts =
    chosen.length > 0
      ? [openingChoices(canvas, chosen), ...(canEdit ? editingChoices(canvas, chosen) : [[copying(canvas)]])]
      : edges.size > 0 && canEdit
        ? lineChoices(canvas)
        : emptyChoices(canvas, at)
  return parts.filter((part) => part.length > 0)
}

/** Where a block leads. */
function openingChoices(canvas: OpenCanvas, chosen: Block[]): Choice[] {
  const [block] = chosen
  if (!block || chosen.length > 1) return []
  const href = block.type === 'link' || block.type === 'embed' ? safeHref(block.content ?? '') : undefined
  const open = (url: string) => window.open(url, '_blank', 'noopener,noreferrer')
  return [
    ...(href ? [{ label: 'Open the page', icon: ExternalLink, run: () => open(href) }] : []),
    ...(block.fileId && !canvas.isGuest
      ? [{ label: 'Open the file', icon: Download, run: () => open(bytesUrl(block)) }]
      : []),
  ]
}

const copying = (canvas: OpenCanvas): Choice => ({
  label: 'Copy',
  icon: ClipboardCopy,
  keys: 'mod+c',
  run: () => copy(canvas),
})

function editingChoices(canvas: OpenCanvas, chosen: Block[]): Choice[][] {
  const isLocked = chosen.every(({ locked }) => locked)
  const lock = { keys: 'mod+shift+l', run: () => acts.toggleLock(canvas) }
  if (isLocked) return [[copying(canvas), { label: 'Unlock', icon: LockOpen, ...lock }]]
  return [
    writingChoices(canvas, chosen),
    [
      { label: 'Cut', icon: Scissors, keys: 'mod+x', run: () => cut(canvas) },
      copying(canvas),
      { label: 'Duplicate', icon: CopyPlus, keys: 'mod+d', run: () => duplicate(canvas) },
    ],
    [
      { label: 'Group', icon: Group, keys: 'mod+g', run: () => acts.group(canvas) },
      ...(chosen.some(({ type }) => type === 'group')
        ? [{ label: 'Ungroup', icon: Ungroup, keys: 'mod+shift+g', run: () => acts.ungroup(canvas) }]
        : []),
      { label: 'Bring to front', icon: BringToFront, keys: ']', run: () => acts.stack(canvas, 'front') },
      { label: 'Send to back', icon: SendToBack, keys: '}', run: () => acts.stack(canvas, 'back') },
      { label: 'Lock', icon: Lock, ...lock },
    ],
    [{ label: 'Remove', icon: Trash2, keys: 'Delete', run: () => acts.removeChosen(canvas) }],
  ]
}

function writingChoices(canvas: OpenCanvas, chosen: Block[]): Choice[] {
  const isOne = chosen.length === 1
  const tick = () => toggleDone(canvas.store, canvas.board.selection.get().blocks)
  return [
    ...(isOne
      ? [
          { label: 'Write', icon: Pencil, keys: 'Enter', run: () => acts.edit(canvas) },
          { label: 'Rename', icon: TextCursorInput, keys: 'F2', run: () => acts.edit(canvas, 'title') },
        ]
      : []),
    ...(chosen.some(({ type }) => type === 'task')
      ? [{ label: 'Tick', icon: SquareCheck, keys: 'Space', run: tick }]
      : []),
    {
      label: isOne ? 'Connect to…' : 'Connect in this order',
      icon: Spline,
      keys: 'c',
      run: () => acts.connectChosen(canvas),
    },
  ]
}

const lineChoices = (canvas: OpenCanvas): Choice[][] => [
  [
    { label: 'Write on it', icon: Type, keys: 'Enter', run: () => acts.edit(canvas) },
    { label: 'Remove', icon: Trash2, keys: 'Delete', run: () => acts.removeChosen(canvas) },
  ],
]

function emptyChoices(canvas: OpenCanvas, at: { x: number; y: number }): Choice[][] {
  const { store, view, board } = canvas
  const looking = [
    {
      label: 'Choose all',
      icon: SquareMousePointer,
      keys: 'mod+a',
      run: () => board.select(store.items.blocks.keys()),
    },
    {
      label: 'See everything',
      icon: Maximize,
      keys: 'shift+1',
      run: () => view.fit([...store.items.blocks.values()]),
    },
  ]
  if (!canvas.editable.get()) return [looking]
  return [
    [
      { label: 'Text here', icon: Type, run: () => acts.addBlock(canvas, 'text', view.at(at)) },
      { label: 'Group here', icon: Group, run: () => acts.addBlock(canvas, 'group', view.at(at)) },
      { label: 'Paste', icon: ClipboardPaste, keys: 'mod+v', run: () => pasteAgain(canvas) },
    ],
    looking,
  ]
}

/** Ways to bring several blocks in line. */
export const ALIGNMENTS: { label: string; how: Side | 'row' | 'column'; icon: LucideIcon }[] = [
  { label: 'Align left', how: 'left', icon: AlignStartVertical },
  { label: 'Align centres', how: 'center', icon: AlignCenterVertical },
  { label: 'Align right', how: 'right', icon: AlignEndVertical },
  { label: 'Align top', how: 'top', icon: AlignStartHorizontal },
  { label: 'Align middles', how: 'middle', icon: AlignCenterHorizontal },
  { label: 'Align bottom', how: 'bottom', icon: AlignEndHorizontal },
  { label: 'Space out in a row', how: 'row', icon: AlignHorizontalDistributeCenter },
  { label: 'Space out in a column', how: 'column', icon: AlignVerticalDistributeCenter },
]
