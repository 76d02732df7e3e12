import { ChevronRight } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { LOCALE, t } from '../../../../contract/text.ts'
import { navigateTree } from '../../files/files/tree/tree-keys.ts'
import { goTo } from '../actions/keyboard-navigation.ts'
import { useCanvas } from '../canvas-context.ts'
import { blockName, isDone, TYPE_ICONS } from '../model/block-labels.ts'
import { colorTone, TEXT } from '../model/tones.ts'
import type { CanvasStore } from '../store/canvas-store.ts'
import { type OutlineEntry, outlineEntries } from './outline-entries.ts'

const VISIBLE_MAX = 300

/** The first argument makes the memo depend on the rendered nodes. */
const blocksAsOf = (_rendered: unknown, store: CanvasStore) => store.items.blocks

export function Outline({ search }: { search: string }) {
  const canvas = useCanvas()
  const { viewModel, store } = canvas
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  // Deferred so a long list doesn't slow down dragging.
  const rendered = useDeferredValue(viewModel.rendered.use())
  const selected = useDeferredValue(viewModel.selection.use()).blocks
  const entries = useMemo(
    () => outlineEntries(blocksAsOf(rendered, store), (id) => !closed.has(id), search),
    [rendered, store, closed, search],
  )
  const toggle = (id: string) => {
    const next = new Set(closed)
    if (!next.delete(id)) next.add(id)
    setClosed(next)
  }
  if (entries.length === 0) {
    return (
      <p className="border-neutral-6 border-b px-16 py-24 text-13 text-neutral-11">
        {search ? t`No blocks match “${search}”.` : t`No blocks yet.`}
      </p>
    )
  }
  const current = entries.find(({ block }) => selected.has(block.id)) ?? entries[0]
  return (
    <div className="border-neutral-6 border-b p-8">
      <div role="tree" aria-label="Blocks" onKeyDown={navigateTree}>
        {entries.slice(0, VISIBLE_MAX).map((entry) => (
          <Row
            key={entry.block.id}
            entry={entry}
            isSelected={selected.has(entry.block.id)}
            isTabStop={entry === current}
            open={entry.block.type === 'group' && !search ? !closed.has(entry.block.id) : undefined}
            onToggle={() => toggle(entry.block.id)}
            onSelect={() => {
              goTo(canvas, entry.block.id)
              canvas.view.flyTo(entry.block)
            }}
          />
        ))}
      </div>
      {entries.length > VISIBLE_MAX && (
        <p className="px-8 pt-8 text-12 text-neutral-11">
          {(entries.length - VISIBLE_MAX).toLocaleString(LOCALE)} more. Search to narrow the list.
        </p>
      )}
    </div>
  )
}

interface RowProps {
  entry: OutlineEntry
  isSelected: boolean
  /** The tree is a single tab stop: this row. */
  isTabStop: boolean
  open: boolean | undefined
  onToggle: () => void
  onSelect: () => void
}

function Row({ entry: { block, level }, isSelected, isTabStop, open, onToggle, onSelect }: RowProps) {
  const Icon = TYPE_ICONS[block.type]
  const tone = colorTone(block.color)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys.
    <div
      role="treeitem"
      aria-level={level}
      aria-expanded={open}
      aria-selected={isSelected}
      tabIndex={isTabStop ? 0 : -1}
      style={{ paddingLeft: `${(level - 1) * 16}px` }}
      onClick={onSelect}
      className="flex h-32 cursor-pointer select-none items-center gap-4 rounded-control pr-8 text-13 -outline-offset-2 hover:bg-hover aria-selected:bg-selected"
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys toggle the row. */}
      <span
        data-tree-toggle
        onClick={(event) => {
          event.stopPropagation()
          onToggle()
        }}
        className={`flex size-24 shrink-0 items-center justify-center rounded-control hover:bg-hover ${open === undefined ? 'invisible' : ''}`}
      >
        <ChevronRight aria-hidden className={`icon transition-transform ${open ? 'rotate-90' : ''}`} />
      </span>
      <Icon aria-hidden className={`icon ${tone ? TEXT[tone] : 'text-neutral-11'}`} />
      <span className={`truncate ${isDone(block) ? 'text-neutral-11 line-through' : ''}`}>
        {blockName(block)}
      </span>
    </div>
  )
}
