import { Link } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import type { Memory } from '../../../api/memory.ts'
import { Badge } from '../../../components/badge.tsx'
import { Name } from '../../../components/name.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { TITLE_LINK, TitleCell } from '../../../components/table/title-cell.tsx'

export const memoryColumns: Column<Memory>[] = [
  { header: t`Key`, wide: true, cell: (memory) => <KeyCell memory={memory} /> },
  {
    header: t`For`,
    visibleFrom: 'medium',
    cell: (memory) => (
      <span className="block max-w-menu truncate text-neutral-11">
        <Name>{memory.projectName ?? t`Organization`}</Name>
      </span>
    ),
  },
  {
    header: t`Written by`,
    visibleFrom: 'wide',
    hiddenBesidePanel: true,
    cell: (memory) => <span className="whitespace-nowrap text-neutral-11">{memoryAuthor(memory)}</span>,
  },
  timeColumn(t`Changed`, ({ updatedAt }) => updatedAt, { visibleFrom: 'medium' }),
]

export const memoryAuthor = ({ source, by }: Pick<Memory, 'source' | 'by'>) =>
  source === 'run' ? t`An agent` : (by?.name ?? t`A former member`)

function KeyCell({ memory: { id, key, content, tags } }: { memory: Memory }) {
  return (
    <span className="flex min-w-0 items-center gap-8">
      <span className="min-w-0 flex-1">
        <TitleCell note={content}>
          <Link
            to="/memory"
            search={(previous) => ({ ...previous, id })}
            data-row-link={id}
            title={key}
            className={TITLE_LINK}
          >
            <Name>{key}</Name>
          </Link>
        </TitleCell>
      </span>
      {tags.slice(0, 2).map((tag) => (
        <span key={tag} className="@max-wide:hidden">
          <Badge>{tag}</Badge>
        </span>
      ))}
    </span>
  )
}
