import { Link } from '@tanstack/react-router'
import type { PhoneNumber } from '../../../api/telephony/overview.ts'
import { CopyId } from '../../../components/copy.tsx'
import { Fact, LINK } from '../../../components/layout/fact.tsx'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'

export function NumberFacts({ number }: { number: PhoneNumber }) {
  const { id, label, projectId, projectName, owner, settings, connectionId, createdAt } = number
  const { language, voice, greeting, recordingNotice, maxMinutes, allowedPrefixes } = settings
  return (
    <dl className="flex flex-col gap-8 text-13">
      <Fact label="Label">{label ? <Name>{label}</Name> : 'None'}</Fact>
      <Fact label="Project">
        {projectName ? (
          <Link to="/projects/$ref" params={{ ref: projectId }} className={LINK}>
            <Name>{projectName}</Name>
          </Link>
        ) : (
          'A project that you cannot see'
        )}
      </Fact>
      <Fact label="Account">
        {connectionId ? (
          <Link to="/connections/$id" params={{ id: connectionId }} search={{}} className={LINK}>
            A connection to Twilio
          </Link>
        ) : (
          'The account of this server'
        )}
      </Fact>
      <Fact label="Language">{languageName(language)}</Fact>
      <Fact label="Voice">{voice ?? 'The default of the carrier'}</Fact>
      <Fact label="Greeting">{greeting ?? 'None: the agent begins'}</Fact>
      <Fact label="Recording notice">{recordingNotice ?? 'Default notice in the number’s language'}</Fact>
      <Fact label="Longest call">{maxMinutes === 1 ? '1 minute' : `${maxMinutes} minutes`}</Fact>
      <Fact label="May call and text">
        {allowedPrefixes.length === 0
          ? 'Its own country'
          : `Its own country, and ${allowedPrefixes.join(', ')}`}
      </Fact>
      <Fact label="Imported">
        <Name>{owner.name}</Name>, <Time at={createdAt} />
      </Fact>
      <Fact label="ID">
        <CopyId id={id} what="number ID" />
      </Fact>
    </dl>
  )
}

/** `German (Germany)`, or the code of a language without a name in the browser. */
function languageName(code: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' }).of(code) ?? code
  } catch {
    return code
  }
}
