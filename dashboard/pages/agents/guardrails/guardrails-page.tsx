import { useQuery } from '@tanstack/react-query'
import { Plus, ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { type Guardrail, guardrailsQuery } from '../../../api/guardrails.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Table } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { DeleteGuardrailDialog } from './delete-dialog.tsx'
import { guardrailColumns } from './guardrail-columns.tsx'
import { GuardrailDialog } from './guardrail-dialog.tsx'

type OpenDialog = { action: 'create' } | { action: 'edit' | 'delete'; guardrail: Guardrail }

/** The rules for messages, tool calls and answers of agents. */
export function GuardrailsPage() {
  const list = useQuery(guardrailsQuery)
  const items = list.data?.items ?? []
  const [dialog, setDialog] = useState<OpenDialog>()
  const canEdit = useCanEditAgents() === true
  const create = () => setDialog({ action: 'create' })
  const close = () => setDialog(undefined)
  usePageKeys(canEdit ? [{ label: 'New guardrail', keys: 'c', icon: Plus, run: create }] : [])
  return (
    <Page
      title="Guardrails"
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
    A guardrail blocks, redacts or flags text in messages, tool calls and answers of agents, such as card
    numbers in messages or API keys in answers. The form shows the effect of a rule on a text before you save
    it.
    {!onCreate && ' Members who can edit in a workspace create guardrails.'}
  </Empty>
)
