import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import {
  GUARDRAIL_ACTIONS,
  GUARDRAIL_KINDS,
  GUARDRAIL_STAGES,
} from '../../../../contract/agents/guardrail-options.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import type { Guardrail } from '../../../api/guardrails.ts'
import { Button } from '../../../components/button.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { Name } from '../../../components/name.tsx'
import { Status } from '../../../components/status.tsx'
import type { Column } from '../../../components/table/table.tsx'

type Handler = (guardrail: Guardrail) => void

const MEANINGS = { block: 'bad', redact: 'warning', flag: 'info' } as const

export const guardrailColumns = (
  canEdit: boolean,
  onEdit: Handler,
  onDelete: Handler,
): Column<Guardrail>[] => [
  {
    header: 'Guardrail',
    wide: true,
    cell: (guardrail) => <NameCell guardrail={guardrail} onEdit={canEdit ? onEdit : undefined} />,
  },
  {
    header: 'Action',
    cell: ({ action, enabled }) =>
      enabled ? (
        <Status meaning={MEANINGS[action]}>{GUARDRAIL_ACTIONS[action]}</Status>
      ) : (
        <Status meaning="neutral">Off</Status>
      ),
  },
  {
    header: 'Agents',
    visibleFrom: 'medium',
    cell: ({ everywhere, agents }) => (
      <span className="whitespace-nowrap text-neutral-11" title={agents.map(({ name }) => name).join(', ')}>
        {everywhere ? 'All agents' : describeAgents(agents)}
      </span>
    ),
  },
  {
    header: 'Actions',
    headerHidden: true,
    right: true,
    cell: (guardrail) =>
      canEdit && (
        <span className="relative">
          <Menu
            trigger={
              <Button
                look="quiet"
                size="small-icon"
                aria-label={textWithNames`Actions for ${guardrail.name}`}
              >
                <Ellipsis aria-hidden className="icon" />
              </Button>
            }
          >
            <MenuAction icon={Pencil} label="Edit" onSelect={() => onEdit(guardrail)} />
            <MenuAction icon={Trash2} label="Delete" onSelect={() => onDelete(guardrail)} />
          </Menu>
        </span>
      ),
  },
]

function describeAgents(agents: Guardrail['agents']) {
  if (agents.length === 0) return 'None'
  if (agents.length === 1) return <Name>{agents[0]!.name}</Name>
  return `${agents.length} agents`
}

const NameCell = ({ guardrail, onEdit }: { guardrail: Guardrail; onEdit?: Handler }) => (
  <span className="block min-w-0">
    <button
      type="button"
      data-row-link={guardrail.id}
      title={guardrail.name}
      disabled={!onEdit}
      onClick={() => onEdit?.(guardrail)}
      className="row-link block max-w-full truncate text-left font-medium outline-none"
    >
      <Name>{guardrail.name}</Name>
    </button>
    <span className="block truncate text-12 text-neutral-11">
      {GUARDRAIL_KINDS[guardrail.kind]} · {GUARDRAIL_STAGES[guardrail.on]}
    </span>
  </span>
)
