import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, RotateCcw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { LOCALE, t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogFooter } from '../../../components/dialogs/dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { useCanvas } from '../canvas-context.ts'
import { readPalette } from '../export/palette.ts'
import { measureText } from '../export/save-picture.ts'
import { composeSvg } from '../export/svg.ts'
import { type Block, type Edge, unsavedBlock } from '../store/items.ts'

export interface PreviewProps {
  seq: number
  title: ReactNode
  /** Absent for users who can't restore. */
  onRestore?: (() => Promise<unknown>) | undefined
  onLater?: (() => void) | undefined
  onEarlier?: (() => void) | undefined
  onClose: () => void
}

export default function PreviewDialog({ seq, title, onRestore, onLater, onEarlier, onClose }: PreviewProps) {
  const { project } = useCanvas()
  const [busy, setBusy] = useState(false)
  const state = useQuery({
    queryKey: ['canvas-at', project.id, seq],
    queryFn: ({ signal }) => api.canvas.at({ projectId: project.id, seq }, { signal }),
    // Past states never change.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  const restore = async () => {
    setBusy(true)
    await onRestore?.()
    onClose()
  }
  return (
    <Dialog title={title} size="wide" onClose={onClose}>
      <div className="h-nested-max overflow-hidden rounded-control border border-neutral-6 bg-inset">
        {state.error && <Failure error={state.error} onRetry={() => state.refetch()} />}
        {state.data && <Picture blocks={state.data.blocks} edges={state.data.edges} />}
      </div>
      <Summary blocks={state.data?.blocks} />
      <DialogFooter>
        <div className="mr-auto flex gap-4">
          <Button
            look="quiet"
            size="icon"
            aria-label="Earlier point"
            disabled={!onEarlier}
            onClick={onEarlier}
          >
            <ChevronLeft aria-hidden className="icon" />
          </Button>
          <Button look="quiet" size="icon" aria-label="Later point" disabled={!onLater} onClick={onLater}>
            <ChevronRight aria-hidden className="icon" />
          </Button>
        </div>
        <Button onClick={onClose}>Close</Button>
        {onRestore && (
          <Button look="primary" busy={busy} disabled={!state.data} onClick={restore}>
            <RotateCcw aria-hidden className="icon" />
            Restore
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  )
}

function Summary({ blocks }: { blocks: BlockState[] | undefined }) {
  const { store } = useCanvas()
  const differences = blocks && differencesOf(blocks, store.items.blocks)
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-16 gap-y-4 py-12 text-13">
      {differences ? t`After restoring: ${lowerFirst(summaryOfDifferences(differences))}.` : t`Loading…`}
      {differences && differences.restored.length + differences.changed.length > 0 && (
        <span className="flex gap-12 text-12 text-neutral-11">
          <LegendEntry className="border-good-text" label="Restored" />
          <LegendEntry className="border-warning-text" label="Changed" />
        </span>
      )}
    </p>
  )
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

const LegendEntry = ({ className, label }: { className: string; label: string }) => (
  <span className="flex items-center gap-4">
    <span aria-hidden className={`size-12 rounded-control border-2 ${className}`} />
    {label}
  </span>
)

function Picture({ blocks, edges }: { blocks: BlockState[]; edges: Edge[] }) {
  const { store, view, project } = useCanvas()
  // Composed once: past states never change, and each has its own dialog.
  const [url] = useState(() => {
    const palette = readPalette(view.element() ?? document.body)
    const { restored, changed } = differencesOf(blocks, store.items.blocks)
    const { svg } = composeSvg({
      blocks: blocks.map((block) => unsavedBlock(block, project.id)),
      edges,
      palette,
      measure: measureText,
      marks: new Map([
        ...restored.map((id): [string, string] => [id, palette.good]),
        ...changed.map((id): [string, string] => [id, palette.warning]),
      ]),
    })
    return `data:image/svg+xml,${encodeURIComponent(svg)}`
  })
  if (blocks.length === 0)
    return <p className="flex size-full items-center justify-center text-neutral-11">The canvas was empty.</p>
  return (
    <img src={url} alt={t`The canvas with ${blocks.length} blocks`} className="size-full object-contain" />
  )
}

type BlockState = Omit<Block, 'projectId' | 'version' | 'createdBy' | 'runId' | 'createdAt' | 'updatedAt'>

const FIELDS = [
  'type',
  'x',
  'y',
  'width',
  'height',
  'rotation',
  'parentId',
  'title',
  'content',
  'fileId',
  'color',
] as const

interface Differences {
  /** Only in the earlier state: a restore recreates them. */
  restored: string[]
  changed: string[]
  /** Only in the current state: a restore removes them. */
  removed: string[]
}

function differencesOf(
  earlier: readonly BlockState[],
  currentBlocks: ReadonlyMap<string, BlockState>,
): Differences {
  const ids = new Set(earlier.map(({ id }) => id))
  const isChanged = (block: BlockState) => {
    const current = currentBlocks.get(block.id)
    if (!current) return false
    return (
      FIELDS.some((field) => block[field] !== current[field]) ||
      (block.type !== 'agent' && JSON.stringify(block.metadata) !== JSON.stringify(current.metadata))
    )
  }
  return {
    restored: earlier.filter(({ id }) => !currentBlocks.has(id)).map(({ id }) => id),
    changed: earlier.filter(isChanged).map(({ id }) => id),
    removed: [...currentBlocks.keys()].filter((id) => !ids.has(id)),
  }
}

/** For example “3 blocks are restored, 1 block changes, 2 blocks are removed”. */
function summaryOfDifferences({ restored, changed, removed }: Differences): string {
  const count = (length: number, singular: string, plural: string) =>
    length === 0 ? [] : [`${length.toLocaleString(LOCALE)} ${length === 1 ? singular : plural}`]
  const parts = [
    ...count(restored.length, t`block is restored`, t`blocks are restored`),
    ...count(changed.length, t`block changes`, t`blocks change`),
    ...count(removed.length, t`block is removed`, t`blocks are removed`),
  ]
  return parts.length > 0 ? parts.join(', ') : t`Same blocks as now`
}
