import { Link } from '@tanstack/react-router'
import { Time } from '../../../components/time.tsx'
import { proofWord, refusalWords, sourceWord } from '../webhook-labels.ts'
import type { EventStory } from '../webhooks-queries.ts'
import { Step } from './steps.tsx'

/** How it came here, and whether it was genuine. */
export function Receipt({ story }: { story: EventStory }) {
  const { direction, receivedAt, source, webhookId, webhookName, verification } = story
  const when = <Time at={receivedAt} />
  if (direction === 'internal') {
    return (
      <Step meaning="accent" title={webhookId ? 'Asked for' : 'Happened here'} aside={when}>
        {webhookId ? 'A test that somebody sent by hand.' : 'Written down with the change itself.'}
      </Step>
    )
  }
  return (
    <>
      <Step meaning="accent" title="Received" aside={when}>
        {source === 'custom' ? 'By ' : `From ${sourceWord(source)}, by `}
        {webhookName && webhookId ? (
          <Link
            to="/webhooks/$id"
            params={{ id: webhookId }}
            className="text-accent-text underline underline-offset-4"
          >
            {webhookName}
          </Link>
        ) : (
          'a webhook that was deleted since'
        )}
      </Step>
      {verification && <Verdict verification={verification} />}
    </>
  )
}

function Verdict({ verification }: { verification: NonNullable<EventStory['verification']> }) {
  const { result, scheme, reason } = verification
  if (result === 'valid') {
    return (
      <Step meaning="good" title="Verified">
        By {proofWord(scheme)}.
      </Step>
    )
  }
  const { what, advice } = refusalWords(reason)
  return (
    <Step meaning="bad" title="Rejected">
      <p className="text-neutral-12">{what}.</p>
      <p>{advice}</p>
    </Step>
  )
}
