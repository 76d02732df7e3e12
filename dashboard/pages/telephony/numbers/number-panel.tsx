import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { LOCALE, t } from '../../../../contract/text.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { Code } from '../../../components/code.tsx'
import { CopyId } from '../../../components/copy.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Fact, LINK } from '../../../components/layout/fact.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { Status } from '../../../components/status.tsx'
import { Time } from '../../../components/time.tsx'
import { toastFailure } from '../../../components/toast.tsx'
import { focusRow } from '../../../frame/list-keys.ts'
import { labelInSentence } from '../../../state/label-in-sentence.ts'
import { cacheNumber, type PhoneNumber, refreshTelephony, telephonyApi } from '../telephony-queries.ts'
import { NumberDialog } from './number-dialog.tsx'
import { listNumberUrls, numberState, URL_NAMES, URL_STATES } from './number-labels.ts'
import { RepairButton } from './repair-button.tsx'

export function NumberPanel({ number }: { number: PhoneNumber }) {
  const { id, e164, status } = number
  const isAdmin = useSession().role !== 'member'
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'edit' | 'release'>()
  const check = useMutation({
    mutationFn: () => telephonyApi.phoneNumbers.check({ id }),
    onSuccess: cacheNumber,
    onError: toastFailure,
  })
  const state = numberState(number)
  const canChange = isAdmin && status !== 'released'
  const close = async () => {
    await navigate({ to: '/phone', search: {} })
    focusRow(id)
  }
  return (
    <Panel
      title={e164}
      subtitle={<Status meaning={state.meaning}>{state.label}</Status>}
      onClose={() => void close()}
    >
      {(state.reason || status !== 'released') && (
        <PanelSection>
          {state.reason && <p className="mb-12 text-13 text-neutral-11">{state.reason}</p>}
          <div className="flex flex-wrap gap-8">
            {canChange && state.isRepairable && <RepairButton numberId={id} />}
            {status !== 'released' && (
              <Button busy={check.isPending} onClick={() => check.mutate()}>
                Check now
              </Button>
            )}
            {canChange && <Button onClick={() => setDialog('edit')}>Edit</Button>}
            {canChange && (
              <Button look="quiet" onClick={() => setDialog('release')}>
                Release
              </Button>
            )}
          </div>
        </PanelSection>
      )}
      {status !== 'released' && (
        <PanelSection title="Carrier URLs">
          <NumberUrls number={number} />
        </PanelSection>
      )}
      <PanelSection title="Settings">
        <NumberFacts number={number} />
      </PanelSection>
      {dialog === 'edit' && <NumberDialog number={number} onClose={() => setDialog(undefined)} />}
      {dialog === 'release' && <ReleaseDialog number={number} onClose={() => setDialog(undefined)} />}
    </Panel>
  )
}

function NumberFacts({ number }: { number: PhoneNumber }) {
  const { id, label, projectId, projectName, owner, settings, connectionId, createdAt } = number
  const { language, voice, greeting, recordingNotice, maxMinutes, allowedPrefixes } = settings
  return (
    <dl className="flex flex-col gap-8 text-13">
      <Fact label="Label">{label ? <Name>{label}</Name> : t`None`}</Fact>
      <Fact label="Project">
        {projectName ? (
          <Link to="/projects/$ref" params={{ ref: projectId }} className={LINK}>
            <Name>{projectName}</Name>
          </Link>
        ) : (
          t`A project you can’t see`
        )}
      </Fact>
      <Fact label="Account">
        {connectionId ? (
          <Link to="/integrations/$id" params={{ id: connectionId }} search={{}} className={LINK}>
            Twilio connection
          </Link>
        ) : (
          t`This server’s account`
        )}
      </Fact>
      <Fact label="Language">{languageName(language)}</Fact>
      <Fact label="Voice">{voice ?? t`Carrier default`}</Fact>
      <Fact label="Greeting">{greeting ?? t`None; the agent speaks first`}</Fact>
      <Fact label="Recording notice">{recordingNotice ?? t`Default notice in the number’s language`}</Fact>
      <Fact label="Maximum call length">{maxMinutes === 1 ? t`1 minute` : t`${maxMinutes} minutes`}</Fact>
      <Fact label="Allowed destinations">
        {allowedPrefixes.length === 0
          ? t`Its own country`
          : t`Its own country, and ${allowedPrefixes.join(', ')}`}
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

/** `German (Germany)`, or the code if the browser has no name for it. */
function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(LOCALE, { type: 'language', languageDisplay: 'standard' }).of(code) ?? code
  } catch {
    return code
  }
}

function NumberUrls({ number }: { number: PhoneNumber }) {
  return (
    <div className="flex flex-col gap-16">
      {listNumberUrls(number).map(({ name, url, actual, state }) => (
        <div key={name} className="flex flex-col gap-4">
          <p className="flex flex-wrap items-baseline justify-between gap-8">
            <span className="font-medium text-13">{URL_NAMES[name]}</span>
            <Status meaning={URL_STATES[state].meaning}>{URL_STATES[state].label}</Status>
          </p>
          <Code what={t`URL for ${labelInSentence(URL_NAMES[name])}`}>{url}</Code>
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

function ReleaseDialog({ number, onClose }: { number: PhoneNumber; onClose: () => void }) {
  const { id, e164 } = number
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      title={withNames`Release ${e164}`}
      phrase={e164}
      action="Release number"
      mutate={() => telephonyApi.phoneNumbers.release({ id })}
      onSuccess={async () => {
        await navigate({ to: '/phone', search: {} })
        await refreshTelephony()
      }}
      success={withNames`Released ${e164}`}
      onClose={onClose}
    >
      <p>
        Atrium stops answering this number’s calls and messages and removes its URLs from the carrier. Rules
        that apply only to this number stop working.
      </p>
      <p>
        Your carrier account keeps the number and keeps paying for it. Calls, messages, recordings and
        conversations stay. You can import the number again.
      </p>
    </ConfirmDialog>
  )
}
