import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Switch } from '../../../components/forms/switch.tsx'
import { ResultFormat } from '../../../components/results/format/result-format.tsx'
import { useBlock, useCanvas } from '../canvas-context.ts'
import { STEP_LABELS, type StepKind } from '../model/block-steps.ts'
import type { Block } from '../store/items.ts'
import { ForEachFields } from './for-each-fields.tsx'
import { FormFields } from './form-fields.tsx'
import { type StepDraft, toDraft, toMetadata } from './step-draft.ts'
import { WaitFields } from './wait-fields.tsx'

/** What a block does in a workflow. */
export default function StepDialog({ blockId }: { blockId: string }) {
  const block = useBlock(blockId)
  return block ? <StepForm block={block} /> : null
}

const HINTS: Record<StepKind, string> = {
  agent: t`The agent follows the block’s instructions.`,
  code: t`The block’s text is a JavaScript program. It gets the upstream outputs as input, and no model is called.`,
  wait: t`The workflow continues after a time or an event.`,
  form: t`A member fills in a form. Its answer is the block’s output.`,
}

function StepForm({ block }: { block: Block }) {
  const { store, ui } = useCanvas()
  const [draft, setDraft] = useState(() => toDraft(block))
  const [failure, setFailure] = useState<string>()
  const change = (part: Partial<StepDraft>) => {
    setFailure(undefined)
    setDraft((previous) => ({ ...previous, ...part }))
  }
  const close = () => ui.configuring.set(null)
  const save = () => {
    const result = toMetadata(draft)
    if ('problem' in result) return setFailure(result.problem)
    const { metadata = {} } = store.items.blocks.get(block.id) ?? {}
    const { step: _step, forEach: _forEach, outputSchema: _outputSchema, ...kept } = metadata
    store.change({ update: { blocks: [{ id: block.id, metadata: { ...kept, ...result } }] } })
    close()
  }
  const { kind, repeats } = draft
  const canRepeat = kind === 'agent' || kind === 'code'
  return (
    <FormDialog
      title="Step settings"
      size="normal"
      action={t`Save`}
      failure={failure}
      busy={false}
      onSubmit={save}
      onClose={close}
    >
      <Select
        label="Step"
        hint={HINTS[kind]}
        value={kind}
        onChange={(event) => change({ kind: event.target.value as StepKind })}
      >
        {Object.entries(STEP_LABELS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      {kind === 'wait' && <WaitFields draft={draft} change={change} />}
      {kind === 'form' && <FormFields draft={draft} change={change} blockId={block.id} />}
      {canRepeat && (
        <Switch
          label={t`For each item`}
          description={t`Runs once for every item of a list, and collects the results.`}
          checked={repeats}
          onChange={(checked) => change({ repeats: checked })}
        />
      )}
      {canRepeat && repeats && <ForEachFields draft={draft} change={change} />}
      {kind === 'agent' && (
        <ResultFormat
          text={draft.outputSchema}
          description={t`The next blocks and conditions can read the fields. Otherwise, the agent’s own format applies.`}
          onChange={(outputSchema) => change({ outputSchema })}
        />
      )}
    </FormDialog>
  )
}
