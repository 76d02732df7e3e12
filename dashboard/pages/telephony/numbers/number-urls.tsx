import type { PhoneNumber } from '../../../api/telephony/overview.ts'
import { Code } from '../../../components/code.tsx'
import { Status } from '../../../components/status.tsx'
import { Time } from '../../../components/time.tsx'
import { labelInSentence } from '../../../state/label-in-sentence.ts'
import { URL_NAMES, URL_STATES, urlsOf } from './number-labels.ts'

/** The expected and the actual URLs at the carrier. */
export function NumberUrls({ number }: { number: PhoneNumber }) {
  return (
    <div className="flex flex-col gap-16">
      {urlsOf(number).map(({ name, url, actual, state }) => (
        <div key={name} className="flex flex-col gap-4">
          <p className="flex flex-wrap items-baseline justify-between gap-8">
            <span className="font-medium text-13">{URL_NAMES[name]}</span>
            <Status meaning={URL_STATES[state].meaning}>{URL_STATES[state].label}</Status>
          </p>
          <Code what={`URL for ${labelInSentence(URL_NAMES[name])}`}>{url}</Code>
          {state === 'elsewhere' && actual && (
            <p className="wrap-anywhere text-12 text-bad-text">
              Set at the carrier: <code className="font-mono">{actual}</code>
            </p>
          )}
        </div>
      ))}
      {number.checkedAt && (
        <p className="text-12 text-neutral-11">
          Read from the carrier <Time at={number.checkedAt} />
        </p>
      )}
    </div>
  )
}
