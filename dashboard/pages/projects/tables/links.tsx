import { Link } from '@tanstack/react-router'
import { File, Link2Off, ListTree, type LucideIcon, StickyNote, Table2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { LinkTarget } from '../../../../contract/projects/table-options.ts'
import { t } from '../../../../contract/text.ts'
import type { TableColumn } from '../../../api/tables.ts'
import { Name } from '../../../components/name.tsx'
import type { LinkValue } from './grid/cell-values.ts'

export const LINK_ICONS: Record<LinkTarget, LucideIcon> = {
  file: File,
  block: StickyNote,
  run: ListTree,
  row: Table2,
}

const CHIP = 'inline-flex min-w-0 max-w-full items-center gap-4 rounded-control bg-neutral-4 px-4 text-13'

interface LinkChipProps {
  column: TableColumn
  value: LinkValue
  /** Opens what it names. Absent where it only shows it. */
  projectId?: string | undefined
  /** Grids are one stop for the Tab key. */
  tabIndex?: number
}

/** The title of a linked record. */
export function LinkChip({ column, value, projectId, tabIndex }: LinkChipProps) {
  if (value.missing)
    return (
      <span className="flex min-w-0 items-center gap-4 text-13 text-neutral-11">
        <Link2Off aria-hidden className="icon" />
        <span className="truncate">{t`Missing`}</span>
      </span>
    )
  const Icon = LINK_ICONS[column.target!]
  const content = (
    <>
      <Icon aria-hidden className="size-12 shrink-0 text-neutral-11" />
      <span className="truncate">{value.title === null ? t`Untitled` : <Name>{value.title}</Name>}</span>
    </>
  )
  if (projectId === undefined) return <span className={CHIP}>{content}</span>
  return (
    <LinkTo
      {...{ column, projectId }}
      id={value.id}
      title={value.title ?? undefined}
      tabIndex={tabIndex}
      className={`${CHIP} hover:bg-neutral-5 hover:underline`}
    >
      {content}
    </LinkTo>
  )
}

interface LinkToProps {
  column: TableColumn
  projectId: string
  id: string
  title: string | undefined
  tabIndex: number | undefined
  className: string
  children: ReactNode
}

function LinkTo({ column: { target, tableId }, projectId, id, ...link }: LinkToProps) {
  const params = { ref: projectId }
  if (target === 'file') return <Link to="/files" search={{ file: id }} {...link} />
  if (target === 'run') return <Link to="/runs/$runId" params={{ runId: id }} {...link} />
  if (target === 'block') return <Link to="/projects/$ref" params={params} search={{ block: id }} {...link} />
  return (
    <Link
      to="/projects/$ref/tables/$tableId"
      params={{ ...params, tableId: tableId! }}
      search={{ row: id }}
      {...link}
    />
  )
}
