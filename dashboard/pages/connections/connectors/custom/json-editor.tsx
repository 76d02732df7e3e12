import { useRef } from 'react'
import { ApiFailure } from '../../../../../client/client.ts'
import { t } from '../../../../../contract/text.ts'
import { TextArea } from '../../../../components/forms/field.tsx'
import { findJsonPosition, lineAt } from './json-positions.ts'

interface JsonEditorProps {
  label: string
  value: string
  /** From the request that sent this JSON as its body. */
  error: unknown
  onChange: (text: string) => void
}

export function JsonEditor({ label, value, error, onChange }: JsonEditorProps) {
  const area = useRef<HTMLDivElement>(null)
  const problems = problemsIn(error)
  const select = (position: number) => {
    const field = area.current?.querySelector('textarea')
    field?.focus()
    const end = value.indexOf('\n', position)
    field?.setSelectionRange(position, end === -1 ? value.length : end)
  }
  return (
    <div ref={area} className="flex flex-col gap-12">
      {problems.length > 0 && (
        <ul
          aria-label="Errors"
          className="flex flex-col gap-4 rounded-control border border-bad-line bg-bad-wash px-12 py-8 text-13 text-bad-text"
        >
          {problems.map(({ path, message }) => {
            const position = findJsonPosition(value, path)
            return (
              <li key={`${path} ${message}`}>
                {position !== undefined && (
                  <button type="button" className="underline" onClick={() => select(position)}>
                    Line {lineAt(value, position)}
                  </button>
                )}{' '}
                <code className="font-mono text-12">{path}</code> {message}
              </li>
            )
          })}
        </ul>
      )}
      <TextArea
        label={label}
        rows={24}
        spellCheck={false}
        className="font-mono sm:text-13!"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}

/** Without the `body` prefix. */
export const problemsIn = (error: unknown) =>
  error instanceof ApiFailure && Array.isArray(error.details)
    ? error.details.map(({ path, message }) => ({ path: path.replace(/^body\.?/, ''), message }))
    : []

/** Undefined if the text is valid JSON. */
export function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return t`Invalid JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}
