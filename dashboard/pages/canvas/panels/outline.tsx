import { ChevronRight } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { navigateTree } from '../../files/tree/tree-keys.ts'
import { goTo } from '../actions/keyboard-navigation.ts'
import { isDone, nameOf, TYPE_ICONS } from '../blocks/block-labels.ts'
import { TEXT, toneOf } from '../blocks/tones.ts'
import { useCanvas } from '../canvas-context.ts'
import type { CanvasStore } from '../store/canvas-store.ts'
import { type OutlineEntry, outlineOf } from './outline-of.ts'

const SHOWN_MAX = 300

/** What is drawn says when the blocks are others. */
const blocksAsOf = (_drawn: unknown, store: CanvasStore) => store.items.blocks

/** The blocks as a tree; a click flies to one. */
export function Outline({ words }: { words: string }) {
  const canvas = useCanvas()
  const { board, store } = canvas
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  // Later than the canvas itself: a list of hundreds does not hold up what is being dragged.
  const drawn = useDeferredValue(board.drawn.use())
  const chosen = useDeferredValue(board.selection.use()).blocks
  const entries = useMemo(
    () => outlineOf(blocksAsOf(drawn, store), (id) => !closed.has(id), words),
    [drawn, store, closed, words],
  )
  const toggle = (id: string) => {
    const next = new Set(closed)
    if (!next.delete(id)) next.add(id)
    setClosed(next)
  }
  if (entries.length === 0) {
    return (
      <p className="border-neutral-6 border-b px-16 py-24 text-13 text-neutral-11">
        {words ? `No block says “${words}”.` : 'Blocks of the canvas are listed here as one reads them.'}
      </p>
    )
  }
  const current = entries.find(({ block }) => chosen.has(block.id)) ?? entries[0]
  return (
    <div className="border-neutral-6 border-b p-8">
      <div role="tree" aria-label="Blocks" onKeyDown={navigateTree}>
        {entries.slice(0, SHOWN_MAX).map((entry) => (
          <Row
            key={entry.block.id}
            entry={entry}
            isChosen={chosen.has(entry.block.id)}
            isStop={entry === current}
            open={entry.block.type === 'group' && !words ? !closed.has(entry.block.id) : undefined}
            onToggle={() => toggle(entry.block.id)}
            onGo={() => {
              goTo(canvas, entry.block.id)
              canvas.view.flyTo(entry.block)
            }}
          />
        ))}
      </div>
      {entries.length > SHOWN_MAX && (
        <p className="px-8 pt-8 text-12 text-neutral-11">
          {(entries.length - SHOWN_MAX).toLocaleString('en')} more. Find the one you look for by its words.
        </p>
      )}
    </div>
  )
}

interface RowProps {
  entry: OutlineEntry
  isChosen: boolean
  /** The tree is one stop of Tab: here. */
  isStop: boolean
  open: boolean | undefined
  onToggle: () => void
  onGo: () => void
}

function Row({ entry: { block, level }, isChosen, isStop, open, onToggle, onGo }: RowProps) {
  const Icon = TYPE_ICONS[block.type]
  const tone = toneOf(block.color)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys live on the tree.
    <div
      role="treeitem"
      aria-level={level}
      aria-expanded={open}
      aria-selected={isChosen}
      tabIndex={isStop ? 0 : -1}
      style={{ paddingLeft: `${(level - 1) * 16}px` }}
      onClick={onGo}
      className="flex h-32 cursor-pointer select-none items-center gap-4 rounded-control pr-8 text-13 -outline-offset-2 hover:bg-neutral-3 aria-selected:bg-neutral-4"
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a convenience of the mouse. */}
      <span
        data-tree-toggle
        onClick={(event) => {
          event.stopPropagation()
          onToggle()
        }}
        className={`flex size-24 shrink-0 items-center justify-center rounded-control hover:bg-neutral-5 ${open === undefined ? 'invisible' : ''}`}
      >
        <ChevronRight aria-hidden className={`icon transition-transform ${open ? 'rotate-90' : ''}`} />
      </span>
      <Icon aria-hidden className={`icon ${tone ? TEXT[tone] : 'text-neutral-11'}`} />
      <span className={`truncate ${isDone(block) ? 'text-neutral-11 line-through' : ''}`}>
        {nameOf(block)}
      </span>
    </div>
  )
}
