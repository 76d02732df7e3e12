import { t } from '../../../../contract/text.ts'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Switch } from '../../../components/forms/switch.tsx'
import type { StepDraft } from './step-draft.ts'
import type { StepFieldsProps } from './wait-fields.tsx'

export function ForEachFields({ draft, change }: StepFieldsProps) {
  const { from, path, concurrency, budget, preview, onFailure, otherOver } = draft
  return (
    <>
      <Select
        label="List"
        value={from}
        onChange={(event) => change({ from: event.target.value as StepDraft['from'] })}
      >
        <option value="output">Output of the connected block</option>
        <option value="files">Files in the project folder</option>
        {otherOver && (
          <option value="other">{otherOver.from === 'rows' ? t`Table rows` : t`Chosen items`}</option>
        )}
      </Select>
      {from === 'output' && (
        <TextField
          label="Path (optional)"
          hint="Where the list is in the output, such as orders or result.items. Without a path, lines of a text count as items."
          limit={500}
          value={path}
          onChange={(event) => change({ path: event.target.value })}
        />
      )}
      <div className="grid grid-cols-2 gap-12">
        <TextField
          label="At the same time"
          type="number"
          min={1}
          max={20}
          value={concurrency}
          onChange={(event) => change({ concurrency: event.target.value })}
        />
        <TextField
          label="Budget in USD (optional)"
          type="number"
          min={0}
          step="any"
          value={budget}
          onChange={(event) => change({ budget: event.target.value })}
        />
      </div>
      <Select
        label="If an item fails"
        value={onFailure}
        onChange={(event) => change({ onFailure: event.target.value })}
      >
        <option value="finish">Run the others, then fail</option>
        <option value="stop">Stop</option>
        <option value="ignore">Run the others and succeed</option>
      </Select>
      <Switch
        label={t`Preview first`}
        description={t`Runs three items, then waits for you with an estimate of the cost.`}
        checked={preview}
        onChange={(checked) => change({ preview: checked })}
      />
    </>
  )
}
