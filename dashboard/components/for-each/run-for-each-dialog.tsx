import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { RequestOf } from '../../../contract/endpoint.ts'
import type { Contract } from '../../../contract/index.ts'
import { t } from '../../../contract/text.ts'
import { agentChoicesQuery } from '../../api/agents.ts'
import { api } from '../../api/client.ts'
import { failureMessage } from '../../api/explain.ts'
import { createRequestKey } from '../../state/random-id.ts'
import { FormDialog } from '../dialogs/form-dialog.tsx'
import { TextArea, TextField } from '../forms/field.tsx'
import { Select } from '../forms/select.tsx'

type Over = RequestOf<Contract['forEach']['start']>['over']

interface RunForEachDialogProps {
  projectId: string
  /** Rows or files, without the columns for results. */
  over: Over
  /** There are at most so many items. */
  countMax: number
  /** Columns that can get the result, for rows. */
  columns?: readonly { id: string; name: string }[]
  onClose: () => void
}

const PREVIEW_ITEMS = 3

/** Runs an agent for every row or file: first three as a preview, then, on the run's page, the rest. */
export default function RunForEachDialog({
  projectId,
  over,
  countMax,
  columns,
  onClose,
}: RunForEachDialogProps) {
  const navigate = useNavigate()
  const agents = useQuery(agentChoicesQuery)
  const [requestKey] = useState(createRequestKey)
  const [instructions, setInstructions] = useState('')
  const [agentId, setAgentId] = useState('')
  const [column, setColumn] = useState('')
  const [budget, setBudget] = useState('')
  const isPreviewed = countMax > PREVIEW_ITEMS
  const run = useMutation({
    mutationFn: () => {
      const request = {
        projectId,
        instructions,
        over: over.from === 'rows' && column ? { ...over, results: { [column]: '' } } : over,
        ...(agentId && { agentId }),
        ...(Number(budget) > 0 && { budget: Number(budget) }),
        ...(isPreviewed && { preview: PREVIEW_ITEMS }),
      }
      return api.forEach.start(request, { idempotencyKey: requestKey.of(request) })
    },
    onSuccess: async ({ run: { id } }) => {
      onClose()
      await navigate({ to: '/runs/$runId', params: { runId: id } })
    },
  })
  const isRows = over.from === 'rows'
  return (
    <FormDialog
      title={isRows ? t`Run for each row` : t`Run for each file`}
      size="normal"
      action={isPreviewed ? t`Run a preview` : t`Run`}
      lead={
        isPreviewed
          ? t`The agent first works on three items. Then you see the results and an estimate of the cost, and decide about the rest.`
          : undefined
      }
      failure={failureMessage(run.error)}
      busy={run.isPending}
      onSubmit={() => run.mutate()}
      onClose={onClose}
    >
      <TextArea
        label="Instructions"
        autoFocus
        required
        rows={4}
        limit={100_000}
        value={instructions}
        placeholder={isRows ? t`Find the company’s website` : t`Summarize the file in two sentences`}
        onChange={(event) => setInstructions(event.target.value)}
      />
      <Select label="Agent" value={agentId} onChange={(event) => setAgentId(event.target.value)}>
        <option value="">Default agent</option>
        {agents.data?.items.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      {isRows && columns && (
        <Select
          label="Write the answer to"
          value={column}
          onChange={(event) => setColumn(event.target.value)}
        >
          <option value="">No column</option>
          {columns.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <TextField
        label="Budget in USD (optional)"
        type="number"
        min={0}
        step="any"
        hint="No item starts once the others have used it."
        value={budget}
        onChange={(event) => setBudget(event.target.value)}
      />
    </FormDialog>
  )
}
