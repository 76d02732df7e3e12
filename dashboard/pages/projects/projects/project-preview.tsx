import { queryOptions, useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { PREVIEW_FRAME, PREVIEWS_MAX } from '../../../../contract/projects/list-options.ts'
import { projectsApi } from '../../../api/project-pages.ts'
import type { Project } from '../../../api/projects.ts'
import { PersonFaces } from '../../../components/faces.tsx'

interface ProjectPreviewProps {
  project: Pick<Project, 'id' | 'lastActivityAt'>
  className: string
  hidesEmpty?: boolean
}

/** Decorative: the name is beside it. */
export function ProjectPreview({ project, className, hidesEmpty }: ProjectPreviewProps) {
  const { data } = useQuery(previewQuery(project))
  if (hidesEmpty && data?.shapes.length === 0) return null
  return <CanvasPreview shapes={data?.shapes ?? NONE} className={className} />
}

const NONE: PreviewShape[] = []

export const CanvasPreview = memo(function CanvasPreview(props: {
  shapes: readonly PreviewShape[]
  className: string
}) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${PREVIEW_FRAME.width} ${PREVIEW_FRAME.height}`}
      preserveAspectRatio="xMidYMid meet"
      className={`block bg-inset ${props.className}`}
    >
      {props.shapes.map((shape, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: shapes have no identity, and all change together.
        <Shape key={index} shape={shape} />
      ))}
    </svg>
  )
})

const RADIUS = 4
const LINE = 9
/** Smaller blocks show no text lines. */
const LINES_MIN = { width: 36, height: 26 }
/** Line lengths as fractions of the paragraph's width. */
const LENGTHS = [0.82, 0.94, 0.6, 0.88, 0.72]

function Shape({ shape }: { shape: PreviewShape }) {
  const { type, x, y, width, height, color } = shape
  const look = TONES[color ?? ''] ?? LOOKS[type]
  return (
    <>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx={Math.min(RADIUS, width / 4, height / 4)}
        strokeWidth={1.5}
        className={look}
      />
      {TEXT_TYPES.has(type) && width >= LINES_MIN.width && height >= LINES_MIN.height && (
        <path d={linesOf(shape)} strokeWidth={3} strokeLinecap="round" className="stroke-neutral-7" />
      )}
    </>
  )
}

/** Stand in for text, which previews don't contain. */
function linesOf({ x, y, width, height }: PreviewShape): string {
  const count = Math.min(LENGTHS.length, Math.floor((height - 12) / LINE))
  return LENGTHS.slice(0, count)
    .map((length, index) => `M${x + 9} ${y + 11 + index * LINE}h${Math.round((width - 18) * length)}`)
    .join('')
}

const TEXT_TYPES = new Set<PreviewShape['type']>(['text', 'note', 'agent', 'task'])

const PLAIN = 'fill-card stroke-neutral-6'

const LOOKS: Record<PreviewShape['type'], string> = {
  text: PLAIN,
  note: 'fill-warning-wash stroke-warning-line',
  task: PLAIN,
  agent: 'fill-accent-wash stroke-accent-line',
  group: 'fill-neutral-3 stroke-neutral-6',
  file: 'fill-neutral-4 stroke-neutral-6',
  link: 'fill-neutral-4 stroke-neutral-6',
  embed: 'fill-neutral-5 stroke-neutral-6',
  image: 'fill-info-wash stroke-info-line',
  shape: 'fill-card stroke-neutral-8',
  table: 'fill-card stroke-neutral-6',
  drawing: 'fill-transparent stroke-neutral-7',
}

const TONES: Record<string, string> = {
  teal: 'fill-accent-wash stroke-accent-line',
  green: 'fill-good-wash stroke-good-line',
  amber: 'fill-warning-wash stroke-warning-line',
  red: 'fill-bad-wash stroke-bad-line',
  blue: 'fill-info-wash stroke-info-line',
}

export function ProjectPeople({ project }: { project: Project }) {
  const { data } = useQuery(previewQuery(project))
  if (!data) return null
  return <PersonFaces label="People" people={[data.owner, ...data.people]} />
}

type Preview = OutputOf<Contract['projectPreviews']['list']>['items'][number]
export type PreviewShape = Preview['shapes'][number]

/** Long enough for all rows that appear together. */
const COLLECT_MS = 10
const STALE_MS = 60_000

/** Reloads after the canvas changes. */
const previewQuery = ({ id, lastActivityAt }: Pick<Project, 'id' | 'lastActivityAt'>) =>
  queryOptions({
    queryKey: ['previews', id, lastActivityAt],
    queryFn: () => loadPreview(id),
    staleTime: STALE_MS,
    retry: false,
  })

interface PendingPreview {
  id: string
  resolve: (preview: Preview | null) => void
  reject: (error: unknown) => void
}

let pendingPreviews: PendingPreview[] = []

/** Batches ids requested row by row into one request. */
const loadPreview = (id: string): Promise<Preview | null> =>
  new Promise((resolve, reject) => {
    if (pendingPreviews.length === 0) setTimeout(loadPendingPreviews, COLLECT_MS)
    pendingPreviews.push({ id, resolve, reject })
  })

function loadPendingPreviews() {
  const all = pendingPreviews
  pendingPreviews = []
  for (let start = 0; start < all.length; start += PREVIEWS_MAX) {
    const batch = all.slice(start, start + PREVIEWS_MAX)
    projectsApi.projectPreviews
      .list({ ids: batch.map(({ id }) => id).join(',') })
      .then(({ items }) => {
        const byId = new Map(items.map((preview) => [preview.projectId, preview]))
        for (const { id, resolve } of batch) resolve(byId.get(id) ?? null)
      })
      .catch((error: unknown) => {
        for (const { reject } of batch) reject(error)
      })
  }
}
