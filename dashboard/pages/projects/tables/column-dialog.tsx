import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
import {
  COLUMN_TYPES,
  type ColumnType,
  LINK_TARGETS,
  type LinkTarget,
} from '../../../../contract/projects/table-options.ts'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { refreshTables, type Table, type TableColumn, tablesQuery } from '../../../api/tables.ts'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { editChoices, TYPES } from './column-types.ts'
import { NameDialog } from './name-dialog.tsx'

interface ColumnDialogProps {
  table: Table
  /** Absent for a new column. */
  column?: TableColumn | undefined
  onClose: () => void
}

const LINK_LABELS: Record<LinkTarget, string> = {
  file: t`Files`,
  block: t`Canvas blocks`,
  run: t`Runs`,
  row: t`Rows of a table`,
}

export function ColumnDialog({ table, column, onClose }: ColumnDialogProps) {
  const [type, setType] = useState<ColumnType>(column?.type ?? 'text')
  const [currency, setCurrency] = useState(column?.currency ?? 'EUR')
  const [hasTime, setHasTime] = useState(column?.time ?? false)
  const [choices, setChoices] = useState((column?.choices ?? []).map((choice) => choice.name).join('\n'))
  const [target, setTarget] = useState<LinkTarget>(column?.target ?? 'row')
  const { data: tables = [] } = useQuery({ ...tablesQuery(table.projectId), enabled: type === 'link' })
  const [chosenTable, setChosenTable] = useState(column?.tableId)
  const other = tables.find(({ id }) => id !== table.id) ?? tables[0]
  const tableId = target === 'row' ? (chosenTable ?? other?.id) : undefined
  /** Of the conversion as it is chosen now. */
  const [preview, setPreview] = useState<{ emptied: number } | null>(null)
  const isConversion =
    column !== undefined &&
    (type !== column.type ||
      (type === 'date' && hasTime !== (column.time ?? false)) ||
      (type === 'link' && (target !== column.target || tableId !== column.tableId)))
  const names = choices
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const settings = {
    type,
    ...(type === 'money' && { currency }),
    ...(type === 'date' && hasTime && { time: true }),
    ...(type === 'choice' && names.length > 0 && { choices: editChoices(column?.choices ?? [], names) }),
    ...(type === 'link' && { target, ...(tableId && { tableId }) }),
  }
  async function save(name: string): Promise<'saved' | 'asks'> {
    const { id } = table
    if (!column) {
      await api.tables.update({ id, add: [{ name, ...settings }] })
      return 'saved'
    }
    if (isConversion && preview === null) {
      const result = await api.tables.convert({ id, columnId: column.id, ...settings, dryRun: true })
      setPreview({ emptied: result.emptied })
      if (result.emptied > 0) return 'asks'
    }
    if (isConversion) await api.tables.convert({ id, columnId: column.id, ...settings })
    const change = {
      id: column.id,
      ...(name !== column.name && { name }),
      ...(!isConversion && type === 'money' && currency !== column.currency && { currency }),
      ...(!isConversion && type === 'choice' && { choices: editChoices(column?.choices ?? [], names) }),
    }
    if (Object.keys(change).length > 1) await api.tables.update({ id, change: [change] })
    return 'saved'
  }
  return (
    <NameDialog
      title={column ? t`Edit column` : t`New column`}
      action={preview && preview.emptied > 0 ? t`Convert anyway` : column ? t`Save` : t`Add column`}
      isDangerous={preview !== null && preview.emptied > 0}
      name={column?.name}
      save={save}
      onSaved={async (outcome) => {
        if (outcome === 'asks') return
        await refreshTables()
        onClose()
      }}
      onClose={onClose}
    >
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
          <input
            type="checkbox"
            checked={hasTime}
            onChange={(event) => {
              setHasTime(event.target.checked)
              setPreview(null)
            }}
          />
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
          onChange={(event) => {
            setTarget(event.target.value as LinkTarget)
            setPreview(null)
          }}
        >
          {LINK_TARGETS.map((each) => (
            <option key={each} value={each}>
              {LINK_LABELS[each]}
            </option>
          ))}
        </Select>
      )}
      {type === 'link' && target === 'row' && (
        <Select
          label={t`Table`}
          value={tableId}
          onChange={(event) => {
            setChosenTable(event.target.value)
            setPreview(null)
          }}
        >
          {tables.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      {preview && preview.emptied > 0 && (
        <p role="alert" className="rounded-control bg-warning-wash px-12 py-8 text-13 text-warning-text">
          {t`${counted(preview.emptied, 'value', 'values')} of another form will be emptied. You can undo this.`}
        </p>
      )}
    </NameDialog>
  )
}
