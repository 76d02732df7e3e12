import { t } from '../../../contract/text.ts'
import { fieldLabel, fieldNames, isRecord, propertyOf, type Schema, scalarText, schemaOf } from './labels.ts'

/** The JSON has the others. */
const ROWS_SHOWN = 100
const COLUMNS_MAX = 12

interface ValueProps<T = unknown> {
  value: T
  schema: Schema
  root: Schema | null
}

interface FieldsProps {
  value: Record<string, unknown>
  schema: Schema | null
}

export const Fields = ({ value, schema }: FieldsProps) => (
  <RecordValue value={value} schema={schemaOf(schema, schema, value)} root={schema} />
)

/** Of a list, each a result or a text. */
export const Items = ({ value }: { value: readonly unknown[] }) => (
  <ListValue value={value} schema={{}} root={null} />
)

const RecordValue = ({ value, schema, root }: ValueProps<Record<string, unknown>>) => (
  <dl className="flex min-w-0 flex-col gap-8">
    {fieldNames(schema, value).map((name) => {
      const child = value[name]
      const childSchema = schemaOf(root, propertyOf(schema, name), child)
      return (
        <div
          key={name}
          className={
            isLarge(child)
              ? 'flex min-w-0 flex-col gap-4'
              : 'grid min-w-0 gap-x-16 gap-y-2 @medium:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]'
          }
        >
          <dt className="wrap-anywhere text-13 text-neutral-11">{fieldLabel(name, childSchema)}</dt>
          <dd className="min-w-0 text-13">
            <Value value={child} schema={childSchema} root={root} />
          </dd>
        </div>
      )
    })}
  </dl>
)

const isLarge = (value: unknown) => (Array.isArray(value) ? value.some(isRecord) : isRecord(value))

function Value({ value, schema, root }: ValueProps) {
  if (Array.isArray(value)) return <ListValue value={value} schema={schema} root={root} />
  if (isRecord(value))
    return (
      <div className="border-neutral-6 border-l pl-12">
        <RecordValue value={value} schema={schema} root={root} />
      </div>
    )
  return <Scalar value={value} schema={schema} />
}

const Scalar = ({ value, schema }: { value: unknown; schema: Schema }) => (
  <span
    className={`wrap-anywhere whitespace-pre-wrap ${typeof value === 'number' ? 'tabular-nums' : ''} ${value === null ? 'text-neutral-11' : ''}`}
  >
    {scalarText(value, schema)}
  </span>
)

function ListValue({ value, schema, root }: ValueProps<readonly unknown[]>) {
  if (value.length === 0) return <span className="text-neutral-11">None</span>
  const shown = value.slice(0, ROWS_SHOWN)
  const rest = value.length - shown.length
  // A list's failed items have no result.
  const isTable = shown.some(isRecord) && shown.every((item) => item === null || isRecord(item))
  const records = isTable ? shown.map((item) => (isRecord(item) ? item : {})) : []
  return (
    <>
      {isTable ? (
        <RecordTable
          value={records}
          schema={schemaOf(root, schema.items, shown.find(isRecord))}
          root={root}
        />
      ) : (
        <ul className="flex list-disc flex-col gap-2 pl-16 marker:text-neutral-9">
          {shown.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a result's entries have no identity and never move.
            <li key={index}>
              <Value value={item} schema={schemaOf(root, schema.items, item)} root={root} />
            </li>
          ))}
        </ul>
      )}
      {rest > 0 && <p className="mt-4 text-12 text-neutral-11">{t`${rest} more entries are in the JSON.`}</p>}
    </>
  )
}

const isNumber = (value: unknown) => typeof value === 'number'

function RecordTable({ value, schema, root }: ValueProps<Record<string, unknown>[]>) {
  const columns = fieldNames(schema, Object.assign({}, ...value)).slice(0, COLUMNS_MAX)
  const columnSchema = (name: string, cell: unknown) => schemaOf(root, propertyOf(schema, name), cell)
  const firstCell = (name: string) => value.find((row) => Object.hasOwn(row, name))?.[name]
  return (
    <section
      aria-label="Table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be focusable by keyboard.
      tabIndex={0}
      className="overflow-x-auto rounded-control border border-neutral-6"
    >
      <table className="w-full border-separate border-spacing-0 text-13">
        <thead>
          <tr>
            {columns.map((name) => (
              <th
                key={name}
                scope="col"
                className={`whitespace-nowrap border-neutral-6 border-b bg-inset px-8 py-4 font-medium text-12 text-neutral-11 ${isNumber(firstCell(name)) ? 'text-right' : 'text-left'}`}
              >
                {fieldLabel(name, columnSchema(name, firstCell(name)))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {value.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a result's rows have no identity and never move.
            <tr key={index}>
              {columns.map((name) => (
                <td
                  key={name}
                  className={`min-w-48 border-neutral-6 px-8 py-4 align-top ${index < value.length - 1 ? 'border-b' : ''} ${isNumber(row[name]) ? 'text-right' : ''}`}
                >
                  <Value value={row[name]} schema={columnSchema(name, row[name])} root={root} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
