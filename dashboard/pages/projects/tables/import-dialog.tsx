import { useMutation } from '@tanstack/react-query'
import { FileSpreadsheet } from 'lucide-react'
import { useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { counted } from '../../../../contract/counted.ts'
import type { ErrorBody } from '../../../../contract/errors.ts'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { failureMessage } from '../../../api/explain.ts'
import { type ImportResult, refreshTables, type Table } from '../../../api/tables.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogFooter } from '../../../components/dialogs/dialog.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextArea } from '../../../components/forms/field.tsx'
import { InlineSelect } from '../../../components/forms/select.tsx'
import { Name } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { TYPES } from './column-types.ts'

type Source = { file: File } | { text: string }
type Mapping = Record<string, string | null>

const NEW = '+new'
const SKIP = '+skip'

/** Chooses a file or pastes, then maps its columns with a preview, then imports. */
export function ImportDialog({ table, onClose }: { table: Table; onClose: () => void }) {
  const [source, setSource] = useState<Source | null>(null)
  const [pasted, setPasted] = useState('')
  const [mapping, setMapping] = useState<Mapping>({})
  const run = useMutation({
    mutationFn: ({ from, dryRun, map }: { from: Source; dryRun: boolean; map: Mapping }) =>
      send(table.id, from, { dryRun, mapping: map }),
    onSuccess: async (result) => {
      if (result.dryRun) return
      await refreshTables()
      toast(t`Imported ${counted(result.created + result.updated, 'row', 'rows')}`)
      onClose()
    },
  })
  const preview = run.data?.dryRun ? run.data : null
  const check = (from: Source, map = mapping) => {
    setSource(from)
    run.mutate({ from, dryRun: true, map })
  }
  const choose = (header: string, choice: string) => {
    const { [header]: _, ...others } = mapping
    const next = choice === NEW ? others : { ...others, [header]: choice === SKIP ? null : choice }
    setMapping(next)
    if (source) check(source, next)
  }
  return (
    <Dialog title={t`Import into ${table.name}`} size="wide" onClose={onClose}>
      <div className="flex flex-col gap-16">
        <FormFailure>{run.error ? failureMessage(run.error) : undefined}</FormFailure>
        {preview ? (
          <Preview table={table} result={preview} onChoose={choose} />
        ) : (
          <>
            <label className="flex cursor-pointer flex-col items-center gap-8 rounded-panel border border-neutral-7 border-dashed px-16 py-24 text-center hover:bg-hover">
              <FileSpreadsheet aria-hidden className="size-24 text-neutral-11" />
              <span className="font-medium">Choose a CSV or Excel file</span>
              <span className="text-12 text-neutral-11">
                The first row has the column names. Up to 25 MB.
              </span>
              <input
                type="file"
                accept=".csv,.tsv,.xlsx,.xls,.ods,text/csv"
                className="sr-only"
                onChange={(event) => {
                  const [file] = event.target.files ?? []
                  if (file) check({ file })
                }}
              />
            </label>
            <TextArea
              label={t`Or paste from a spreadsheet`}
              rows={6}
              value={pasted}
              onChange={(event) => setPasted(event.target.value)}
            />
          </>
        )}
        <DialogFooter>
          {preview && (
            <Button
              look="quiet"
              onClick={() => {
                run.reset()
                setSource(null)
                setMapping({})
              }}
            >
              Back
            </Button>
          )}
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          {preview ? (
            <Button
              look="primary"
              busy={run.isPending}
              disabled={preview.errorCount > 0}
              onClick={() => source && run.mutate({ from: source, dryRun: false, map: mapping })}
            >
              {t`Import ${counted(preview.rows, 'row', 'rows')}`}
            </Button>
          ) : (
            <Button
              look="primary"
              busy={run.isPending}
              disabled={pasted.trim() === ''}
              onClick={() => check({ text: pasted })}
            >
              Continue
            </Button>
          )}
        </DialogFooter>
      </div>
    </Dialog>
  )
}

function send(
  id: string,
  from: Source,
  options: { dryRun: boolean; mapping: Mapping },
): Promise<ImportResult> {
  const fields = { createColumns: true, ...options }
  if ('text' in from) return api.tables.import({ id, text: from.text, ...fields })
  return uploadImport(id, from.file, fields)
}

interface PreviewProps {
  table: Table
  result: ImportResult
  onChoose: (header: string, choice: string) => void
}

const SAMPLES = 3

function Preview({ table, result, onChoose }: PreviewProps) {
  const { columns, sample, errors, errorCount } = result
  return (
    <>
      <p className="text-13 text-neutral-11">
        {t`${counted(result.created, 'new row', 'new rows')}, ${counted(result.updated, 'changed row', 'changed rows')}`}
      </p>
      <div className="overflow-x-auto">
        <table className="w-full text-left text-13">
          <thead className="text-12 text-neutral-11">
            <tr>
              <th className="py-4 pr-12 font-medium">In the file</th>
              <th className="py-4 pr-12 font-medium">Column</th>
              <th className="py-4 font-medium">Examples</th>
            </tr>
          </thead>
          <tbody>
            {columns.map(({ header, column, isNew, type }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: headers may repeat.
              <tr key={index} className="border-neutral-6 border-t">
                <td className="max-w-qr truncate py-8 pr-12 font-medium">
                  <Name>{header}</Name>
                </td>
                <td className="py-8 pr-12">
                  <InlineSelect
                    small
                    narrow
                    label={t`Column for ${header}`}
                    value={column === null ? SKIP : isNew ? NEW : column}
                    options={[
                      {
                        value: NEW,
                        label: isNew && type ? t`New column (${TYPES[type].label})` : t`New column`,
                      },
                      ...table.columns.map(({ id, name }) => ({ value: id, label: name })),
                      { value: SKIP, label: t`Don’t import` },
                    ]}
                    onChoose={(choice) => onChoose(header, choice)}
                  />
                </td>
                <td className="max-w-filter truncate py-8 text-neutral-11">
                  <Name>
                    {sample
                      .slice(0, SAMPLES)
                      .map((row) => row[index] ?? '')
                      .filter(Boolean)
                      .join(' · ')}
                  </Name>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {errorCount > 0 && (
        <div role="alert" className="rounded-control bg-bad-wash px-12 py-8 text-13">
          <p className="font-medium text-bad-text">
            {t`${counted(errorCount, 'problem', 'problems')}: fix the file, or don’t import the column`}
          </p>
          <ul className="mt-4 flex flex-col gap-2">
            {errors.slice(0, 8).map(({ line, column, message }) => (
              <li key={`${line} ${column}`}>
                {t`Line ${line}`} {column && <Name>{column}</Name>} {message}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

interface ImportFields {
  createColumns: boolean
  dryRun: boolean
  mapping: Record<string, string | null>
}

/** The client sends JSON only. */
async function uploadImport(id: string, file: File, fields: ImportFields): Promise<ImportResult> {
  const form = new FormData()
  for (const name of ['createColumns', 'dryRun'] as const) form.set(name, String(fields[name]))
  form.set('mapping', JSON.stringify(fields.mapping))
  form.set('file', file)
  const response = await fetch(`/api/v1/tables/${id}/import`, { method: 'POST', body: form }).catch(() => {
    throw new ApiFailure(0, { code: 'UNAVAILABLE', message: 'The server could not be reached' })
  })
  const body = (await response.json()) as ImportResult | ErrorBody
  if ('error' in body) throw new ApiFailure(response.status, body.error)
  return body as ImportResult
}
