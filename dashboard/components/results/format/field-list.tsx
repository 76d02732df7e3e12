import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { OUTPUT_LIMITS } from '../../../../contract/agents/output-rules.ts'
import { t } from '../../../../contract/text.ts'
import { Button } from '../../button.tsx'
import { TextField } from '../../forms/field.tsx'
import { Select } from '../../forms/select.tsx'
import { FIELD_TYPES, type FieldType, NEW_FIELD, type ResultField, TYPE_LABELS } from './result-fields.ts'

interface FieldListProps {
  fields: readonly ResultField[]
  depth: number
  onChange: (fields: ResultField[]) => void
}

/** Deeper groups are edited as JSON. */
const DEPTH_MAX = 3

export function FieldList({ fields, depth, onChange }: FieldListProps) {
  const replace = (at: number, field: ResultField) =>
    onChange(fields.map((each, index) => (index === at ? field : each)))
  const move = (at: number, by: number) => {
    const next = [...fields]
    next.splice(at + by, 0, ...next.splice(at, 1))
    onChange(next)
  }
  const names = fields.map(({ name }) => name.trim())
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <ul aria-label="Fields" className="flex min-w-0 flex-col gap-8">
        {fields.map((field, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a field's identity is its position while its name is typed.
          <li key={index}>
            <FieldCard
              field={field}
              number={index + 1}
              depth={depth}
              isDuplicate={names.indexOf(field.name.trim()) !== index}
              onChange={(changed) => replace(index, changed)}
              onUp={index > 0 ? () => move(index, -1) : undefined}
              onDown={index < fields.length - 1 ? () => move(index, 1) : undefined}
              onRemove={
                fields.length > 1 ? () => onChange(fields.filter((_, at) => at !== index)) : undefined
              }
            />
          </li>
        ))}
      </ul>
      <Button
        look="quiet"
        size="small"
        className="-ml-8 self-start"
        disabled={names.includes('')}
        onClick={() => onChange([...fields, NEW_FIELD])}
      >
        <Plus aria-hidden className="icon" />
        Add field
      </Button>
    </div>
  )
}

const NAME = '[A-Za-z0-9_.\\-]{1,64}'
/** Keeps the form from being saved. */
const NO_NAME = '(?!)'

interface FieldCardProps {
  field: ResultField
  number: number
  depth: number
  isDuplicate: boolean
  onChange: (field: ResultField) => void
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
  onRemove: (() => void) | undefined
}

function FieldCard({ field, number, depth, isDuplicate, onChange, onUp, onDown, onRemove }: FieldCardProps) {
  const { name, type, isList, isRequired, description, choices, fields } = field
  const update = (change: Partial<ResultField>) => onChange({ ...field, ...change })
  const types = FIELD_TYPES.filter((each) => each !== 'group' || depth < DEPTH_MAX || type === 'group')
  const label = name.trim() || t`Field ${number}`
  return (
    <fieldset className="@container min-w-0 rounded-panel border border-neutral-6 bg-card p-12">
      <legend className="sr-only">{label}</legend>
      <div className="flex min-w-0 flex-col gap-12">
        <div className="grid min-w-0 items-start gap-12 @medium:grid-cols-2">
          <TextField
            label="Name"
            required
            pattern={isDuplicate ? NO_NAME : NAME}
            title={t`Letters, digits, hyphens and underscores`}
            autoComplete="off"
            spellCheck={false}
            placeholder="invoice_number"
            isLive
            error={isDuplicate ? t`Another field has this name` : undefined}
            value={name}
            onChange={(event) => update({ name: event.target.value })}
          />
          <Select
            label={t`Type`}
            value={type}
            onChange={(event) => {
              const next = event.target.value as FieldType
              update({ type: next, fields: next === 'group' && fields.length === 0 ? [NEW_FIELD] : fields })
            }}
          >
            {types.map((each) => (
              <option key={each} value={each}>
                {TYPE_LABELS[each]}
              </option>
            ))}
          </Select>
        </div>
        {type === 'choice' && (
          <TextField
            label="Choices"
            hint="Separate with commas"
            required
            placeholder={t`low, medium, high`}
            value={choices}
            onChange={(event) => update({ choices: event.target.value })}
          />
        )}
        <TextField
          label="Description"
          hint="Tells the model what belongs here"
          limit={OUTPUT_LIMITS.words}
          value={description}
          onChange={(event) => update({ description: event.target.value })}
        />
        {type === 'group' && (
          <div className="border-neutral-6 border-l-2 pl-12">
            <FieldList fields={fields} depth={depth + 1} onChange={(next) => update({ fields: next })} />
          </div>
        )}
        <div className="flex flex-wrap items-center gap-x-16 gap-y-8">
          <Checkbox
            label={t`Required`}
            checked={isRequired}
            onChange={(checked) => update({ isRequired: checked })}
          />
          <Checkbox label={t`List`} checked={isList} onChange={(checked) => update({ isList: checked })} />
          <span className="ml-auto flex">
            <IconButton label={t`Move ${label} up`} icon={ArrowUp} onClick={onUp} />
            <IconButton label={t`Move ${label} down`} icon={ArrowDown} onClick={onDown} />
            <IconButton label={t`Remove ${label}`} icon={X} onClick={onRemove} />
          </span>
        </div>
      </div>
    </fieldset>
  )
}

interface CheckboxProps {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
}

const Checkbox = ({ label, checked, onChange }: CheckboxProps) => (
  <label className="flex items-center gap-8 text-13">
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
    {label}
  </label>
)

interface IconButtonProps {
  label: string
  icon: typeof X
  onClick: (() => void) | undefined
}

const IconButton = ({ label, icon: Icon, onClick }: IconButtonProps) => (
  <Button
    look="quiet"
    size="small-icon"
    aria-label={label}
    title={label}
    disabled={!onClick}
    onClick={() => onClick?.()}
  >
    <Icon aria-hidden className="icon" />
  </Button>
)
