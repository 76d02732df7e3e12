import { Code } from '../../../components/code.tsx'

interface HttpMessageProps {
  title: string
  /** What stands before the headers: the method and the address, or the status. */
  first: string
  headers: Record<string, string>
  body: string
  note?: string
}

/** A request or a response as it went over the line. */
export function HttpMessage({ title, first, headers, body, note }: HttpMessageProps) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const what = title.toLowerCase()
  return (
    <section aria-label={title} className="flex flex-col gap-4">
      <h4 className="font-medium text-12">{title}</h4>
      <Code what={`${what} headers`}>{[first, ...lines].join('\n')}</Code>
      {body === '' ? (
        <p className="text-12">No body.</p>
      ) : (
        <Code what={`${what} body`} tall>
          {pretty(body)}
        </Code>
      )}
      {note && <p className="text-12">{note}</p>}
    </section>
  )
}

/** JSON is easier to read over several lines; anything else stays as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
