import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, Mic, MicOff, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { failureMessage } from '../../../api/explain.ts'
import { useSession } from '../../../api/session.ts'
import { transcribe, type Voice, voiceQuery } from '../../../api/voice.ts'
import { useLayer } from '../../../state/layers.ts'
import { Button, buttonClass } from '../../button.tsx'
import { useRecorder } from './use-recorder.ts'

interface MicrophoneProps {
  projectId: string | undefined
  sessionId: string | undefined
  onText: (text: string) => void
}

/** Members see it once a model transcribes; admins see what is missing. */
export function Microphone(props: MicrophoneProps) {
  const { role } = useSession()
  const voice = useQuery(voiceQuery).data
  if (!voice) return null
  const { problem } = voice.transcription
  if (problem === null) return <Recorder {...props} />
  return role === 'member' ? null : <Unavailable problem={problem} />
}

type Problem = NonNullable<Voice['transcription']['problem']>

const PROBLEMS: Record<Problem, string> = {
  no_provider: t`To dictate, choose a model that transcribes`,
  wrong_provider: t`The model that transcribes has no provider any more. Choose another`,
  model_not_allowed: t`The model that transcribes isn’t allowed for your role`,
}

function Unavailable({ problem }: { problem: Problem }) {
  return (
    <Link
      to="/settings/organization/models"
      hash="voice"
      aria-label={PROBLEMS[problem]}
      title={PROBLEMS[problem]}
      className={`${buttonClass('quiet', 'icon')} text-neutral-9`}
    >
      <MicOff aria-hidden className="icon" />
    </Link>
  )
}

function Recorder({ projectId, sessionId, onText }: MicrophoneProps) {
  const [problem, setProblem] = useState<string>()
  const upload = useRef<AbortController>(null)
  const button = useRef<HTMLButtonElement>(null)
  const transcription = useMutation({
    mutationFn: (recording: Blob) => {
      upload.current = new AbortController()
      const place = sessionId === undefined ? { projectId: projectId! } : { sessionId }
      return transcribe(recording, place, upload.current.signal)
    },
    onSuccess: ({ text }) => {
      if (text) onText(text)
      else setProblem(t`No speech was heard.`)
    },
    onError: (error) => {
      if (!upload.current?.signal.aborted) setProblem(failureMessage(error))
    },
  })
  useEffect(() => () => upload.current?.abort(), [])
  const recorder = useRecorder({ onRecorded: transcription.mutate, onProblem: setProblem })
  const isBusy = recorder.state === 'asking' || transcription.isPending
  if (recorder.state === 'recording')
    return (
      <RecordingBar
        {...recorder}
        onCancel={() => {
          recorder.cancel()
          requestAnimationFrame(() => button.current?.focus())
        }}
      />
    )
  return (
    <>
      <Button
        ref={button}
        look="quiet"
        size="icon"
        aria-label="Dictate"
        title={projectId === undefined ? t`Choose a project to dictate` : t`Dictate`}
        disabled={projectId === undefined}
        busy={isBusy}
        onClick={() => {
          setProblem(undefined)
          transcription.reset()
          void recorder.start()
        }}
      >
        {!isBusy && <Mic aria-hidden className="icon" />}
      </Button>
      <span role="status" className="text-12 text-neutral-11 empty:hidden">
        {recorder.state === 'asking' && t`Waiting for the microphone…`}
        {transcription.isPending && t`Transcribing…`}
      </span>
      {problem && (
        <div className="order-last flex w-full flex-wrap items-center gap-x-8 px-8">
          <p role="alert" className="text-12 text-bad-text">
            {problem}
          </p>
          {transcription.isError && (
            <Button
              look="quiet"
              size="small"
              onClick={() => {
                setProblem(undefined)
                transcription.mutate(transcription.variables)
              }}
            >
              Try again
            </Button>
          )}
        </div>
      )}
    </>
  )
}

interface RecordingBarProps {
  seconds: number
  level: number
  stop: () => void
  onCancel: () => void
}

/** Escape cancels, Enter stops. */
function RecordingBar({ seconds, level, stop, onCancel }: RecordingBarProps) {
  const done = useRef<HTMLButtonElement>(null)
  useEffect(() => done.current?.focus(), [])
  useLayer(onCancel)
  return (
    <fieldset aria-label="Recording" className="flex min-w-0 items-center gap-4">
      <span role="status" className="sr-only">
        Recording. Press Enter to stop, Esc to cancel.
      </span>
      <Level value={level} />
      <span role="timer" className="text-13 tabular-nums">
        {formatTime(seconds)}
      </span>
      <Button look="quiet" size="icon" aria-label="Cancel" title="Cancel (Esc)" onClick={onCancel}>
        <X aria-hidden className="icon" />
      </Button>
      <Button
        ref={done}
        look="quiet"
        size="icon"
        aria-label="Stop and transcribe"
        title="Stop and transcribe (Enter)"
        onClick={stop}
      >
        <Check aria-hidden className="icon" />
      </Button>
    </fieldset>
  )
}

const BARS = [0.05, 0.15, 0.3, 0.5, 0.75]

function Level({ value }: { value: number }) {
  return (
    <span aria-hidden className="flex h-16 items-end gap-2 px-4">
      {BARS.map((threshold, index) => (
        <span
          key={threshold}
          style={{ height: `${(index + 2) * 16}%` }}
          className={`w-2 ${value >= threshold ? 'bg-accent' : 'bg-neutral-6'}`}
        />
      ))}
    </span>
  )
}

const formatTime = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
