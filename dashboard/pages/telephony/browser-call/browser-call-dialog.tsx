import { useQuery } from '@tanstack/react-query'
import { Link, useBlocker, useLocation } from '@tanstack/react-router'
import { Mic, MicOff, PhoneOff } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { t } from '../../../../contract/text.ts'
import { agentChoicesQuery } from '../../../api/agents.ts'
import { newestProjectsQuery } from '../../../api/projects.ts'
import { useSession } from '../../../api/session.ts'
import { type Voice, voiceQuery } from '../../../api/voice.ts'
import { useCanCreateProjects } from '../../../api/workspaces.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Dialog, DialogFooter } from '../../../components/dialogs/dialog.tsx'
import { AgentFace } from '../../../components/faces.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { LINK } from '../../../components/layout/fact.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { isTyping } from '../../../state/layers.ts'
import { useSeconds } from '../../../state/timers.ts'
import { clockTime } from '../call-labels.ts'
import { type BrowserCall, type CallView, createBrowserCall, type Line } from './browser-call.ts'

interface BrowserCallDialogProps {
  /** Absent to choose one. */
  agent?: { id: string; name: string }
  onClose: () => void
}

export default function BrowserCallDialog({ agent, onClose }: BrowserCallDialogProps) {
  const [call] = useState(createBrowserCall)
  const view = useSyncExternalStore(call.subscribe, call.view)
  const [target, setTarget] = useState<Target>()
  const [isAsking, setAsking] = useState(false)
  useEffect(() => call.leave, [call])
  const isLive = view.phase !== 'idle' && view.phase !== 'ended'
  const hasCall = isLive && view.callId !== null
  const close = () => {
    if (hasCall) setAsking((asks) => !asks)
    else onClose()
  }
  // Back and reload would hang up.
  useBlocker({
    shouldBlockFn: () => {
      setAsking(true)
      return true
    },
    enableBeforeUnload: hasCall,
    disabled: !hasCall,
  })
  const begin = (next: Target) => {
    setTarget(next)
    setAsking(false)
    void call.start({ agentId: next.agent.id, projectId: next.projectId })
  }
  return (
    <Dialog
      title={target ? withNames`Call with ${target.agent.name}` : t`Talk in the browser`}
      onClose={close}
    >
      {view.phase === 'idle' || !target ? (
        <Setup agent={agent} onStart={begin} onClose={onClose} />
      ) : (
        <div className="flex flex-col gap-16">
          <Stage call={call} view={view} agent={target.agent} />
          <Transcript lines={view.lines} agentName={target.agent.name} />
          {view.phase === 'ended' ? (
            <Ended view={view} onAgain={() => begin(target)} onClose={onClose} />
          ) : (
            <Controls call={call} view={view} isAsking={isAsking} onAsk={setAsking} />
          )}
        </div>
      )}
    </Dialog>
  )
}

interface Target {
  agent: { id: string; name: string }
  projectId: string
}

interface SetupProps {
  agent: Target['agent'] | undefined
  onStart: (target: Target) => void
  onClose: () => void
}

function Setup({ agent, onStart, onClose }: SetupProps) {
  const voice = useQuery(voiceQuery).data
  const agents = useQuery({ ...agentChoicesQuery, enabled: agent === undefined }).data?.items
  const projectList = useQuery(newestProjectsQuery)
  const projects = projectList.data?.items.filter(({ canEdit }) => canEdit)
  const canCreateProjects = useCanCreateProjects()
  const { pathname } = useLocation()
  const [agentId, setAgentId] = useState('')
  const [projectId, setProjectId] = useState('')
  if (!voice || !projects || !(agent ?? agents)) return <SkeletonRows rows={2} />
  const chosenAgent = agent ?? agents?.find(({ id }) => id === agentId) ?? agents?.[0]
  const chosenProject = projects.find(({ id }) => id === projectId) ?? projects[0]
  const problem = voice.transcription.problem ?? voice.speech.problem
  return (
    <form
      className="flex flex-col gap-16"
      onSubmit={(event) => {
        event.preventDefault()
        if (chosenAgent && chosenProject) onStart({ agent: chosenAgent, projectId: chosenProject.id })
      }}
    >
      <p className="text-13 text-neutral-11">
        Speak with the agent as on the phone, without a carrier. It can use its tools, and you can interrupt
        it.
      </p>
      {problem !== null && <Unavailable voice={voice} />}
      {projects.length === 0 && (
        <p role="status" className="text-13">
          To talk to an agent, you need a project you can edit.{' '}
          {canCreateProjects && (
            <Link to="/projects/new" search={{ returnTo: pathname }} className={LINK}>
              New project
            </Link>
          )}
        </p>
      )}
      {!agent && agents && (
        <Select
          label="Agent"
          required
          value={chosenAgent?.id}
          onChange={(event) => setAgentId(event.target.value)}
        >
          {agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      {projects.length > 0 && (
        <Select
          label="Project"
          required
          value={chosenProject?.id}
          onChange={(event) => setProjectId(event.target.value)}
        >
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <DialogFooter>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button look="primary" type="submit" disabled={problem !== null || !chosenAgent || !chosenProject}>
          Start call
        </Button>
      </DialogFooter>
    </form>
  )
}

function Unavailable({ voice: { transcription, speech } }: { voice: Voice }) {
  const isAdmin = useSession().role !== 'member'
  const isForbidden = [transcription, speech].some(({ problem }) => problem === 'model_not_allowed')
  return (
    <div role="status" className="rounded-panel bg-warning-wash px-12 py-8 text-13">
      {isForbidden
        ? t`A model that transcribes or speaks isn’t allowed for your role.`
        : t`Calls in the browser need a model that transcribes and one that speaks.`}{' '}
      {isAdmin ? (
        <Link to="/settings/organization/models" hash="voice" className={LINK}>
          Choose models in Settings
        </Link>
      ) : (
        t`Ask an admin to choose them in Settings → Models.`
      )}
    </div>
  )
}

interface StageProps {
  call: BrowserCall
  view: CallView
  agent: Target['agent']
}

/** Who speaks, and how the call is. */
function Stage({ call, view, agent }: StageProps) {
  const { phase, connectedAt } = view
  const now = useSeconds(phase === 'connected' || phase === 'reconnecting')
  return (
    <div className="flex flex-col items-center gap-8 pt-8 text-center">
      <AgentFace agent={agent} size={72} isLive={phase === 'connected' && view.state !== 'listening'} />
      <p role="status" className="font-strong text-16">
        {statusText(view)}
      </p>
      <span className="flex h-16 items-center gap-8 text-12 text-neutral-11">
        {phase === 'connected' && <Meter call={call} isMuted={view.isMuted} />}
        {connectedAt !== null && phase !== 'ended' && (
          <span role="timer" className="tabular-nums">
            {clockTime(Math.max(0, (now - connectedAt) / 1000))}
          </span>
        )}
      </span>
      {phase === 'reconnecting' && (
        <p className="text-13 text-neutral-11">
          {view.isOffline
            ? t`The agent can’t hear you. The call continues if you’re back within a minute.`
            : t`The agent can’t hear you. The call ends after a minute without a connection.`}
        </p>
      )}
      {phase === 'ended' && <p className="text-13 text-neutral-11">{view.end}</p>}
      {view.problem && (
        <p role="alert" className="text-13 text-bad-text">
          {view.problem}
        </p>
      )}
      {view.isWaiting && view.sessionId && (
        <p role="alert" className="rounded-panel bg-warning-wash px-12 py-8 text-13">
          The agent needs your decision.{' '}
          <a href={`/chat/${view.sessionId}`} target="_blank" rel="noreferrer" className={LINK}>
            Decide in a new tab
          </a>
        </p>
      )}
    </div>
  )
}

function statusText({ phase, state, isMuted, isOffline, isWaiting }: CallView): string {
  switch (phase) {
    case 'idle':
    case 'microphone':
      return t`Waiting for the microphone…`
    case 'connecting':
      return t`Connecting…`
    case 'reconnecting':
      return isOffline ? t`You’re offline` : t`Connection lost. Reconnecting…`
    case 'ended':
      return t`Call ended`
    case 'connected':
      if (state === 'speaking') return t`Speaking`
      if (isWaiting) return t`Waiting for you`
      if (state === 'thinking') return t`Thinking`
      return isMuted ? t`Muted` : t`Listening`
  }
}

const BARS = [0.01, 0.03, 0.06, 0.1, 0.15, 0.22, 0.3]

/** Drawn without rendering the dialog 20 times a second. */
function Meter({ call, isMuted }: { call: BrowserCall; isMuted: boolean }) {
  const ref = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    let frame = 0
    const draw = () => {
      const level = call.level()
      for (const [index, bar] of [...(ref.current?.children ?? [])].entries())
        bar.toggleAttribute('data-on', level >= BARS[index]!)
      frame = requestAnimationFrame(draw)
    }
    draw()
    return () => cancelAnimationFrame(frame)
  }, [call])
  if (isMuted) return <MicOff aria-hidden className="icon" />
  return (
    <span ref={ref} aria-hidden className="flex h-16 items-end gap-2">
      {BARS.map((threshold, index) => (
        <span
          key={threshold}
          style={{ height: `${30 + index * 11}%` }}
          className="w-2 bg-neutral-6 data-on:bg-accent-mark"
        />
      ))}
    </span>
  )
}

function Transcript({ lines, agentName }: { lines: readonly Line[]; agentName: string }) {
  const end = useRef<HTMLLIElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new line scrolls to itself
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [lines])
  return (
    <div
      role="log"
      aria-label="Live transcript"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard
      tabIndex={0}
      className="max-h-nested-max min-h-row overflow-y-auto rounded-panel bg-inset px-12 py-8 text-13"
    >
      {lines.length === 0 && <p className="text-neutral-11">Say something. What is said appears here.</p>}
      <ul className="flex flex-col gap-8">
        {lines.map(({ by, text, isCut }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added at the end
          <li key={index} ref={index === lines.length - 1 ? end : undefined} className="wrap-anywhere">
            <span className="block text-12 text-neutral-11">
              {by === 'member' ? t`You` : <Name>{agentName}</Name>}
            </span>
            {text}
            {isCut && <span className="text-neutral-11"> {t`(interrupted)`}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}

interface ControlsProps {
  call: BrowserCall
  view: CallView
  isAsking: boolean
  onAsk: (isAsking: boolean) => void
}

/** M mutes. Escape asks before it ends the call. */
function Controls({ call, view, isAsking, onAsk }: ControlsProps) {
  const { isMuted } = view
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'm' || event.repeat || event.ctrlKey || event.metaKey || event.altKey)
        return
      if (isTyping(event.target)) return
      event.preventDefault()
      call.mute(!call.view().isMuted)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [call])
  if (isAsking)
    return (
      <DialogFooter>
        <span role="alert" className="mr-auto text-13">
          End this call?
        </span>
        <Button look="quiet" onClick={() => onAsk(false)}>
          Keep talking
        </Button>
        <Button look="danger" autoFocus onClick={() => call.hangUp()}>
          <PhoneOff aria-hidden className="icon" />
          End call
        </Button>
      </DialogFooter>
    )
  const Icon = isMuted ? MicOff : Mic
  return (
    <DialogFooter>
      <Button
        aria-pressed={isMuted}
        aria-keyshortcuts="M"
        title={isMuted ? t`Unmute (M)` : t`Mute (M)`}
        // Also after “Keep talking”, whose button is gone.
        autoFocus
        onClick={() => call.mute(!isMuted)}
      >
        <Icon aria-hidden className="icon" />
        {isMuted ? t`Unmute` : t`Mute`}
      </Button>
      <Button look="danger" onClick={() => call.hangUp()}>
        <PhoneOff aria-hidden className="icon" />
        Hang up
      </Button>
    </DialogFooter>
  )
}

interface EndedProps {
  view: CallView
  onAgain: () => void
  onClose: () => void
}

const focusFirst = (element: HTMLElement | null) => element?.focus()

const Ended = ({ view: { callId, sessionId }, onAgain, onClose }: EndedProps) => (
  <DialogFooter>
    {sessionId && (
      <Link
        ref={focusFirst}
        to="/chat/$sessionId"
        params={{ sessionId }}
        search={{}}
        className={buttonClass('quiet')}
        onClick={onClose}
      >
        Open in chat
      </Link>
    )}
    {callId && sessionId && (
      <Link
        to="/phone/calls/$callId"
        params={{ callId }}
        search={{}}
        className={`${buttonClass('quiet')} max-sm:hidden`}
        onClick={onClose}
      >
        Call details
      </Link>
    )}
    <Button look="primary" autoFocus={sessionId === null} onClick={onAgain}>
      {callId ? t`Call again` : t`Try again`}
    </Button>
  </DialogFooter>
)
