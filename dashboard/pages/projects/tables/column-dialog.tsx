import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
import { COLUMN_TYPES, type ColumnType } from '../../../../contract/projects/table-options.ts'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { failureMessage } from '../../../api/explain.ts'
import { refreshTables, type Table, type TableColumn } from '../../../api/tables.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { TYPES } from './column-types.ts'

interface ColumnDialogProps {
  table: Table
  /** Absent for a new column. */
  column?: TableColumn | undefined
  onClose: () => void
}

const LINKABLE = ['file', 'block', 'run'] as const
const LINK_LABELS = { file: t`Files`, block: t`Canvas blocks`, run: t`Runs` }

export function ColumnDialog({ table, column, onClose }: ColumnDialogProps) {
  const [name, setName] = useState(column?.name ?? '')
  const [type, setType] = useState<ColumnType>(column?.type ?? 'text')
  const [currency, setCurrency] = useState(column?.currency ?? 'EUR')
  const [hasTime, setHasTime] = useState(column?.time ?? false)
  const [choices, setChoices] = useState((column?.choices ?? []).map((choice) => choice.name).join('\n'))
  const [target, setTarget] = useState<(typeof LINKABLE)[number]>('file')
  const [preview, setPreview] = useState<{ type: ColumnType; converted: number; emptied: number } | null>(
    null,
  )
  const isConversion =
    column !== undefined && (type !== column.type || (type === 'date' && hasTime !== (column.time ?? false)))
  const names = choices
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const settings = {
    type,
    ...(type === 'money' && { currency }),
    ...(type === 'date' && hasTime && { time: true }),
    ...(type === 'choice' && names.length > 0 && { choices: toChoices(column, names) }),
    ...(type === 'link' && { target }),
  }
  const save = useMutation({
    mutationFn: async () => {
      const { id } = table
      if (!column) return void (await api.tables.update({ id, add: [{ name: name.trim(), ...settings }] }))
      if (isConversion && preview?.type !== type) {
        const result = await api.tables.convert({ id, columnId: column.id, ...settings, dryRun: true })
        setPreview({ type, converted: result.converted, emptied: result.emptied })
        if (result.emptied > 0) return 'asks'
      }
      if (isConversion) await api.tables.convert({ id, columnId: column.id, ...settings })
      const change = {
        id: column.id,
        ...(name.trim() !== column.name && { name: name.trim() }),
        ...(!isConversion && type === 'money' && currency !== column.currency && { currency }),
        ...(!isConversion && type === 'choice' && { choices: toChoices(column, names) }),
      }
      if (Object.keys(change).length > 1) await api.tables.update({ id, change: [change] })
    },
    onSuccess: async (outcome) => {
      if (outcome === 'asks') return
      await refreshTables()
      onClose()
    },
  })
  return (
    <FormDialog
      title={column ? t`Edit column` : t`New column`}
      action={preview && preview.emptied > 0 ? t`Convert anyway` : column ? t`Save` : t`Add column`}
      isDangerous={preview !== null && preview.emptied > 0}
      busy={save.isPending}
      failure={save.error ? failureMessage(save.error) : undefined}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        label={t`Name`}
        required
        limit={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Select
        label={t`Type`}
        value={type}
        onChange={(event) => {
          setType(event.target.value as ColumnType)
          setPreview(null)
        }}
      >
        {COLUMN_TYPES.map((each) => (
          <option key={each} value={each}>
            {TYPES[each].label}
          </option>
        ))}
      </Select>
      {type === 'money' && (
        <TextField
          label={t`Currency`}
          required
          hint={t`Three letters, such as EUR`}
          value={currency}
          onChange={(event) => setCurrency(event.target.value.toUpperCase())}
        />
      )}
      {type === 'date' && (
        <label className="flex items-center gap-8 text-13">
          <input type="checkbox" checked={hasTime} onChange={(event) => setHasTime(event.target.checked)} />
          With a time of day
        </label>
      )}
      {type === 'choice' && (
        <TextArea
          label={t`Choices`}
          hint={
            isConversion
              ? t`One in each line. Leave it empty for one choice for each value.`
              : t`One in each line`
          }
          rows={5}
          value={choices}
          onChange={(event) => setChoices(event.target.value)}
        />
      )}
      {type === 'link' && (
        <Select
          label={t`Links to`}
          value={target}
          onChange={(event) => setTarget(event.target.value as typeof target)}
        >
          {LINKABLE.map((each) => (
            <option key={each} value={each}>
              {LINK_LABELS[each]}
            </option>
          ))}
        </Select>
      )}
      {preview && preview.emptied > 0 && (
        <p role="alert" className="rounded-control bg-warning-wash px-12 py-8 text-13 text-warning-text">
          {t`${counted(preview.emptied, 'value', 'values')} of another form will be emptied. You can undo this.`}
        </p>
      )}
    </FormDialog>
  )
}

/** A renamed line is a new choice; others keep their ids and colors. */
const toChoices = (column: TableColumn | undefined, names: readonly string[]) =>
  names.map((name) => column?.choices?.find((choice) => choice.name === name) ?? { name })
