import { useQuery } from '@tanstack/react-query'
import { Ellipsis, Pencil, Plus, ShieldAlert, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  GUARDRAIL_ACTIONS,
  GUARDRAIL_KINDS,
  GUARDRAIL_STAGES,
} from '../../../../contract/agents/guardrail-options.ts'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { type Guardrail, guardrailsQuery, refreshGuardrails } from '../../../api/guardrails.ts'
import { skillApi } from '../../../api/skills.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { DeleteDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Status } from '../../../components/status.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { TITLE_LINK, TitleCell } from '../../../components/table/title-cell.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { SectionTabs } from '../../../frame/section-tabs.tsx'
import { GuardrailDialog } from './guardrail-dialog.tsx'

type OpenDialog = { action: 'create' } | { action: 'edit' | 'delete'; guardrail: Guardrail }

export function GuardrailsPage() {
  const list = useQuery(guardrailsQuery)
  const items = list.data?.items ?? []
  const [dialog, setDialog] = useState<OpenDialog>()
  const canEdit = useCanEditAgents() === true
  const create = () => setDialog({ action: 'create' })
  const close = () => setDialog(undefined)
  usePageKeys(canEdit ? [{ label: t`New guardrail`, keys: 'c', icon: Plus, run: create }] : [])
  return (
    <Page
      title="Guardrails"
      tabs={<SectionTabs of="agents" />}
      count={items.length > 0 ? items.length : undefined}
      action={
        canEdit && (
          <Button look="primary" onClick={create}>
            New guardrail
          </Button>
        )
      }
    >
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.data && items.length === 0 && <NoGuardrails onCreate={canEdit ? create : undefined} />}
      {items.length > 0 && (
        <Table
          label="Guardrails"
          columns={guardrailColumns(
            canEdit,
            (guardrail) => setDialog({ action: 'edit', guardrail }),
            (guardrail) => setDialog({ action: 'delete', guardrail }),
          )}
          rows={items}
          rowKey={({ id }) => id}
          version={({ updatedAt }) => updatedAt}
        />
      )}
      {dialog?.action === 'create' && <GuardrailDialog onClose={close} />}
      {dialog?.action === 'edit' && <GuardrailDialog guardrail={dialog.guardrail} onClose={close} />}
      {dialog?.action === 'delete' && <DeleteGuardrailDialog guardrail={dialog.guardrail} onClose={close} />}
    </Page>
  )
}

const NoGuardrails = ({ onCreate }: { onCreate?: () => void }) => (
  <Empty
    icon={ShieldAlert}
    title="No guardrails yet"
    action={
      onCreate && (
        <Button look="primary" onClick={onCreate}>
          New guardrail
        </Button>
      )
    }
  >
    A guardrail blocks, redacts or flags text in agents’ messages, tool calls and replies, such as card
    numbers or API keys. Test a rule on a text before you save it.
    {!onCreate && t` To create guardrails, you need edit access in a workspace.`}
  </Empty>
)

type Handler = (guardrail: Guardrail) => void

const MEANINGS = { block: 'bad', redact: 'warning', flag: 'info' } as const

const guardrailColumns = (canEdit: boolean, onEdit: Handler, onDelete: Handler): Column<Guardrail>[] => [
  {
    header: t`Guardrail`,
    wide: true,
    cell: (guardrail) => <NameCell guardrail={guardrail} onEdit={canEdit ? onEdit : undefined} />,
  },
  {
    header: t`Action`,
    cell: ({ action, enabled }) =>
      enabled ? (
        <Status meaning={MEANINGS[action]}>{GUARDRAIL_ACTIONS[action]}</Status>
      ) : (
        <Status meaning="neutral">Off</Status>
      ),
  },
  {
    header: t`Agents`,
    visibleFrom: 'medium',
    cell: ({ everywhere, agents }) => (
      <span className="whitespace-nowrap text-neutral-11" title={agents.map(({ name }) => name).join(', ')}>
        {everywhere ? t`All agents` : describeAgents(agents)}
      </span>
    ),
  },
  {
    header: t`Actions`,
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
  if (agents.length === 0) return t`None`
  if (agents.length === 1) return <Name>{agents[0]!.name}</Name>
  return t`${agents.length} agents`
}

const NameCell = ({ guardrail, onEdit }: { guardrail: Guardrail; onEdit?: Handler }) => (
  <TitleCell note={`${GUARDRAIL_KINDS[guardrail.kind]} · ${GUARDRAIL_STAGES[guardrail.on]}`}>
    <button
      type="button"
      data-row-link={guardrail.id}
      title={guardrail.name}
      disabled={!onEdit}
      onClick={() => onEdit?.(guardrail)}
      className={TITLE_LINK}
    >
      <Name>{guardrail.name}</Name>
    </button>
  </TitleCell>
)

function DeleteGuardrailDialog({ guardrail, onClose }: { guardrail: Guardrail; onClose: () => void }) {
  const { id, name, everywhere, agents } = guardrail
  const users = everywhere
    ? t`All agents will work`
    : agents.length === 1
      ? t`One agent will work`
      : t`${agents.length} agents will work`
  return (
    <DeleteDialog
      title="Delete guardrail"
      name={name}
      remove={() => skillApi.guardrails.remove({ id })}
      refresh={refreshGuardrails}
      onClose={onClose}
    >
      {users} without <Name>{name}</Name> from the next step on. You can turn it off instead.
    </DeleteDialog>
  )
}
