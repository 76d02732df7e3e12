import { Link } from '@tanstack/react-router'
import type { SkillSummary } from '../../../api/skills.ts'
import { Name } from '../../../components/name.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import type { Column } from '../../../components/table/table.tsx'

export const skillColumns: Column<SkillSummary>[] = [
  { header: 'Name', wide: true, cell: (skill) => <NameCell skill={skill} /> },
  { header: 'Files', right: true, visibleFrom: 'wide', cell: ({ fileCount }) => fileCount },
  { header: 'Agents', right: true, visibleFrom: 'medium', cell: ({ agentCount }) => agentCount },
  timeColumn('Changed', ({ updatedAt }) => updatedAt, { visibleFrom: 'medium' }),
]

const NameCell = ({ skill: { id, name, description } }: { skill: SkillSummary }) => (
  <span className="flex min-w-0 items-baseline gap-8">
    <Link
      to="/skills/$id"
      params={{ id }}
      data-row-link={id}
      title={name}
      className="row-link min-w-0 max-w-full shrink-0 truncate font-medium outline-none"
    >
      <Name>{name}</Name>
    </Link>
    <span className="min-w-0 flex-1 truncate text-neutral-11">{description}</span>
  </span>
)
