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
import type { Side } from '../acts/arrange.ts'
import { copy, cut, duplicate, pasteAgain } from '../acts/clipboard.ts'
import * as acts from '../acts/editing.ts'
import { toggleDone } from '../acts/toggle-done.ts'
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
  const parts =
    chosen.length > 0
      ? [...openingChoices(canvas, chosen), ...(canvas.editable.get() ? editingChoices(canvas, chosen) : [])]
      : edges.size > 0 && canvas.editable.get()
        ? lineChoices(canvas)
        : emptyChoices(canvas, at)
  return parts.filter((part) => part.length > 0)
}

function openingChoices(canvas: OpenCanvas, chosen: Block[]): Choice[][] {
  const [block] = chosen
  if (!block || chosen.length > 1)
    return [[{ label: 'Copy', icon: ClipboardCopy, keys: 'mod+c', run: () => copy(canvas) }]]
  const href = safeHref(block.content ?? '')
  const isLink = block.type === 'link' || block.type === 'embed'
  return [
    [
      ...(isLink && href
        ? [
            {
              label: 'Open the page',
              icon: ExternalLink,
              run: () => window.open(href, '_blank', 'noopener,noreferrer'),
            },
          ]
        : []),
      ...(block.fileId && !canvas.isGuest
        ? [
            {
              label: 'Open the file',
              icon: Download,
              run: () => window.open(bytesUrl(block), '_blank', 'noopener'),
            },
          ]
        : []),
      { label: 'Copy', icon: ClipboardCopy, keys: 'mod+c', run: () => copy(canvas) },
    ],
  ]
}

function editingChoices(canvas: OpenCanvas, chosen: Block[]): Choice[][] {
  const isOne = chosen.length === 1
  const isLocked = chosen.every(({ locked }) => locked)
  if (isLocked)
    return [[{ label: 'Unlock', icon: LockOpen, keys: 'mod+shift+l', run: () => acts.toggleLock(canvas) }]]
  const has = (type: Block['type']) => chosen.some((block) => block.type === type)
  return [
    [
      { label: 'Cut', icon: Scissors, keys: 'mod+x', run: () => cut(canvas) },
      { label: 'Duplicate', icon: CopyPlus, keys: 'mod+d', run: () => duplicate(canvas) },
    ],
    [
      ...(isOne
        ? [
            { label: 'Write', icon: Pencil, keys: 'Enter', run: () => acts.edit(canvas) },
            { label: 'Rename', icon: TextCursorInput, keys: 'F2', run: () => acts.edit(canvas, 'title') },
          ]
        : []),
      ...(has('task')
        ? [
            {
              label: 'Tick',
              icon: SquareCheck,
              keys: 'Space',
              run: () => toggleDone(canvas.store, canvas.board.selection.get().blocks),
            },
          ]
        : []),
      {
        label: isOne ? 'Connect to…' : 'Connect in this order',
        icon: Spline,
        keys: 'c',
        run: () => acts.connectChosen(canvas),
      },
      { label: 'Group', icon: Group, keys: 'mod+g', run: () => acts.group(canvas) },
      ...(has('group')
        ? [{ label: 'Ungroup', icon: Ungroup, keys: 'mod+shift+g', run: () => acts.ungroup(canvas) }]
        : []),
    ],
    [
      { label: 'Bring to front', icon: BringToFront, keys: ']', run: () => acts.stack(canvas, 'front') },
      { label: 'Send to back', icon: SendToBack, keys: '}', run: () => acts.stack(canvas, 'back') },
      { label: 'Lock', icon: Lock, keys: 'mod+shift+l', run: () => acts.toggleLock(canvas) },
    ],
    [{ label: 'Remove', icon: Trash2, keys: 'Delete', run: () => acts.removeChosen(canvas) }],
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
