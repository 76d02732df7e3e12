import {
  Activity,
  Ban,
  Bot,
  BringToFront,
  ClipboardCopy,
  ClipboardPaste,
  CopyPlus,
  Crop,
  Download,
  ExternalLink,
  FastForward,
  Group,
  ListChecks,
  Lock,
  LockOpen,
  type LucideIcon,
  Maximize,
  MessageSquare,
  MessageSquareText,
  Palette,
  PanelRight,
  Pencil,
  Play,
  Presentation,
  Scissors,
  SendToBack,
  Settings2,
  Sparkles,
  Spline,
  Square,
  SquareCheck,
  SquareMousePointer,
  Table,
  TextCursorInput,
  Trash2,
  Type,
  Ungroup,
} from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { safeHref } from '../../../components/markdown/safe-href.ts'
import { leadsToAgents, runAgentBlock, stopAgentBlock } from '../actions/agent-runs.ts'
import { askAboutSelection, canAsk, commentOnSelected } from '../actions/ask.ts'
import { copy, cut, duplicate, pasteLastCopied } from '../actions/clipboard.ts'
import { ARROW_ENDS, ROUTES, updateEdges } from '../actions/edge-styles.ts'
import * as editing from '../actions/editing.ts'
import { toggleDone } from '../actions/editing.ts'
import { present } from '../actions/present.ts'
import { fileUrl } from '../blocks/block-image.ts'
import { EXPORTS, exportCanvas } from '../export/export-actions.ts'
import { isActive, readAgentState, shownRunId } from '../model/agent-state.ts'
import { COLORS, colorLabel } from '../model/tones.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import type { Block } from '../store/items.ts'
import { alignmentsFor } from './selection-bar.tsx'

const CHECKLIST = t`- [ ] First\n- [ ] Second\n- [ ] Third`
const TABLE = t`| Name | State |\n| --- | --- |\n| First | Open |\n| Second | Done |`

export function menuEntries(canvas: OpenCanvas, at: { x: number; y: number }): MenuEntry[][] {
  const { blocks, edges } = canvas.viewModel.selection.get()
  const selected = [...blocks].flatMap((id) => canvas.store.items.blocks.get(id) ?? [])
  const canEdit = canvas.editable.get()
  const sections =
    selected.length > 0
      ? [
          openEntries(canvas, selected),
          [...askEntries(canvas), ...commentEntries(canvas, selected)],
          ...(canEdit ? editEntries(canvas, selected) : [[copyEntry(canvas)]]),
          exportEntries(canvas),
        ]
      : edges.size > 0 && canEdit
        ? edgeEntries(canvas)
        : canvasEntries(canvas, at)
  return sections.filter((section) => section.length > 0)
}

function openEntries(canvas: OpenCanvas, selected: Block[]): MenuEntry[] {
  const [block] = selected
  if (!block || selected.length > 1) return []
  const href = block.type === 'link' || block.type === 'embed' ? safeHref(block.content ?? '') : undefined
  const open = (url: string) => window.open(url, '_blank', 'noopener,noreferrer')
  const canCrop = block.type === 'image' && block.fileId && canvas.editable.get() && !block.locked
  return [
    ...agentEntries(canvas, block),
    ...(canCrop ? [{ label: t`Crop image`, icon: Crop, run: () => canvas.ui.cropping.set(block.id) }] : []),
    ...(href ? [{ label: t`Open link`, icon: ExternalLink, run: () => open(href) }] : []),
    ...(block.fileId && !canvas.isGuest
      ? [{ label: t`Open file`, icon: Download, run: () => open(fileUrl(block)) }]
      : []),
  ]
}

/** Members who can edit may ask about the selection or the canvas. */
const askEntries = (canvas: OpenCanvas): MenuEntry[] =>
  canAsk(canvas)
    ? [{ label: t`Ask an agent`, icon: Sparkles, keys: 'q', run: () => askAboutSelection(canvas) }]
    : []

/** Exports the selection, or the whole canvas. */
const exportEntries = (canvas: OpenCanvas): MenuEntry[] =>
  EXPORTS.map(({ format, label }) => ({ label, icon: Download, run: () => exportCanvas(canvas, format) }))
const commentEntries = (canvas: OpenCanvas, selected: Block[]): MenuEntry[] =>
  canvas.canComment && selected.length === 1
    ? [{ label: t`Comment`, icon: MessageSquare, keys: 'c', run: () => commentOnSelected(canvas) }]
    : []

const copyEntry = (canvas: OpenCanvas): MenuEntry => ({
  label: t`Copy`,
  icon: ClipboardCopy,
  keys: 'mod+c',
  run: () => copy(canvas),
})

function editEntries(canvas: OpenCanvas, selected: Block[]): MenuEntry[][] {
  const isLocked = selected.every(({ locked }) => locked)
  const lock = { keys: 'mod+shift+l', run: () => editing.toggleLock(canvas) }
  if (isLocked) return [[copyEntry(canvas), { label: t`Unlock`, icon: LockOpen, ...lock }]]
  return [
    contentEntries(canvas, selected),
    alignEntries(canvas, selected),
    [
      { label: t`Cut`, icon: Scissors, keys: 'mod+x', run: () => cut(canvas) },
      copyEntry(canvas),
      { label: t`Duplicate`, icon: CopyPlus, keys: 'mod+d', run: () => duplicate(canvas) },
    ],
    [
      { label: t`Group`, icon: Group, keys: 'mod+g', run: () => editing.group(canvas) },
      ...(selected.some(({ type }) => type === 'group')
        ? [{ label: t`Ungroup`, icon: Ungroup, keys: 'mod+shift+g', run: () => editing.ungroup(canvas) }]
        : []),
      { label: t`Bring to front`, icon: BringToFront, keys: ']', run: () => editing.stack(canvas, 'front') },
      { label: t`Send to back`, icon: SendToBack, keys: '}', run: () => editing.stack(canvas, 'back') },
      { label: t`Lock`, icon: Lock, ...lock },
    ],
    [{ label: t`Remove`, icon: Trash2, keys: 'Delete', run: () => editing.removeSelected(canvas) }],
  ]
}

function contentEntries(canvas: OpenCanvas, selected: Block[]): MenuEntry[] {
  const isSingle = selected.length === 1
  const toggle = () => toggleDone(canvas.store, canvas.viewModel.selection.get().blocks)
  return [
    ...(isSingle
      ? [
          { label: t`Edit`, icon: Pencil, keys: 'Enter', run: () => editing.edit(canvas) },
          { label: t`Rename`, icon: TextCursorInput, keys: 'F2', run: () => editing.edit(canvas, 'title') },
        ]
      : []),
    ...(selected.some(({ type }) => type === 'task')
      ? [{ label: t`Toggle done`, icon: SquareCheck, keys: 'Space', run: toggle }]
      : []),
    {
      label: isSingle ? t`Connect to…` : t`Connect in selection order`,
      icon: Spline,
      keys: 'C',
      run: () => editing.connectSelected(canvas),
    },
  ]
}

const alignEntries = (canvas: OpenCanvas, selected: Block[]): MenuEntry[] =>
  alignmentsFor(selected.length).map(({ label, layout, icon }) => ({
    label,
    icon,
    run: () => editing.arrange(canvas, layout),
  }))

/** Mirrors the connection toolbar, for keyboard users. */
const edgeEntries = (canvas: OpenCanvas): MenuEntry[][] => [
  [{ label: t`Edit label`, icon: Type, keys: 'Enter', run: () => editing.edit(canvas) }],
  ARROW_ENDS.map(({ value, label, icon }) => ({
    label,
    icon,
    run: () => updateEdges(canvas, { arrows: value }),
  })),
  ROUTES.map(({ value, label, icon }) => ({
    label,
    icon,
    run: () => updateEdges(canvas, { route: value }),
  })),
  [...COLORS, null].map((color) => ({
    label: color ? t`Color: ${colorLabel(color)}` : t`No color`,
    icon: color ? Palette : Ban,
    run: () => updateEdges(canvas, { color }),
  })),
  [{ label: t`Remove`, icon: Trash2, keys: 'Delete', run: () => editing.removeSelected(canvas) }],
]

function canvasEntries(canvas: OpenCanvas, at: { x: number; y: number }): MenuEntry[][] {
  const { store, view, viewModel } = canvas
  const viewEntries = [
    {
      label: t`Select all`,
      icon: SquareMousePointer,
      keys: 'mod+a',
      run: () => viewModel.select(store.items.blocks.keys()),
    },
    {
      label: t`Fit to screen`,
      icon: Maximize,
      keys: 'shift+1',
      run: () => view.fit([...store.items.blocks.values()]),
    },
    { label: t`Present`, icon: Presentation, keys: 'P', run: () => present(canvas) },
  ]
  if (!canvas.editable.get()) return [viewEntries, exportEntries(canvas)]
  return [
    askEntries(canvas),
    [
      { label: t`Add text`, icon: Type, run: () => editing.addBlock(canvas, 'text', view.at(at)) },
      {
        label: t`Add checklist`,
        icon: ListChecks,
        run: () => editing.addText(canvas, CHECKLIST, view.at(at)),
      },
      { label: t`Add table`, icon: Table, run: () => editing.addText(canvas, TABLE, view.at(at)) },
      { label: t`Add agent`, icon: Bot, run: () => editing.addBlock(canvas, 'agent', view.at(at)) },
      { label: t`Add group`, icon: Group, run: () => editing.addBlock(canvas, 'group', view.at(at)) },
      { label: t`Paste`, icon: ClipboardPaste, keys: 'mod+v', run: () => pasteLastCopied(canvas) },
    ],
    viewEntries,
    exportEntries(canvas),
  ]
}

function agentEntries(canvas: OpenCanvas, block: Block): MenuEntry[] {
  if (block.type !== 'agent' || canvas.isGuest) return []
  const state = readAgentState(block)
  const runId = state && shownRunId(state)
  const hasNext = leadsToAgents(canvas, block.id)
  const go = (path: string) => canvas.ui.page.set(path)
  return [
    ...(canvas.editable.get()
      ? [
          isActive(state)
            ? { label: t`Stop run`, icon: Square, run: () => stopAgentBlock(canvas, block.id) }
            : {
                label: hasNext ? t`Run this block` : t`Run`,
                icon: Play,
                keys: 'mod+Enter',
                run: () => runAgentBlock(canvas, block.id),
              },
          ...(hasNext && !isActive(state)
            ? [
                {
                  label: t`Run from here`,
                  icon: FastForward,
                  run: () => runAgentBlock(canvas, block.id, { downstream: true }),
                },
              ]
            : []),
        ]
      : []),
    ...(canvas.editable.get() && !block.locked
      ? [{ label: t`Step settings`, icon: Settings2, run: () => canvas.ui.configuring.set(block.id) }]
      : []),
    ...(runId
      ? [
          {
            label: state?.waitsFor === 'form' ? t`Answer form` : t`Last run`,
            icon: PanelRight,
            run: () => canvas.ui.inspecting.set(block.id),
          },
        ]
      : []),
    ...(state?.sessionId
      ? [
          {
            label: t`Open conversation`,
            icon: MessageSquareText,
            run: () => go(`/chat/${state.sessionId}`),
          },
        ]
      : []),
    ...(runId ? [{ label: t`Open run`, icon: Activity, run: () => go(`/runs/${runId}`) }] : []),
  ]
}

interface MenuEntry {
  label: string
  icon: LucideIcon
  keys?: string
  run: () => unknown
}
