import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { api } from '../../../api/client.ts'
import { type Conversation, cacheConversation, memberNamesQuery } from '../../../api/conversations.ts'
import { failureMessage } from '../../../api/explain.ts'
import { projectQuery } from '../../../api/projects.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { AddMemberForm } from '../../../components/forms/add-member-form.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'

const route = getRouteApi('/app/chat')

/** The dialog has its own URL, which the CLI prints. */
export function PeopleButton({ conversation }: { conversation: Conversation }) {
  const { people } = route.useSearch()
  const navigate = useNavigate()
  const { createdBy, participants } = conversation
  const count = new Set([createdBy, ...participants.map(({ userId }) => userId)].filter(Boolean)).size
  const setOpen = (isOpen: boolean) =>
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, people: isOpen ? 'all' : undefined }),
      replace: true,
    })
  return (
    <>
      <Button
        look="quiet"
        size="small"
        aria-label={t`Participants: ${count}`}
        title="Participants"
        onClick={() => setOpen(true)}
      >
        <Users aria-hidden className="icon" />
        <span className="tabular-nums">{count}</span>
      </Button>
      {people !== undefined && <PeopleDialog conversation={conversation} onClose={() => setOpen(false)} />}
    </>
  )
}

interface PeopleDialogProps {
  conversation: Conversation
  onClose: () => void
}

function PeopleDialog({ conversation, onClose }: PeopleDialogProps) {
  const { createdBy, participants, canEdit, projectId } = conversation
  const { user } = useSession()
  const names = useQuery(memberNamesQuery)
  const project = useQuery(projectQuery(projectId))
  const creator = createdBy === null ? null : names.data?.get(createdBy)
  const others = participants.filter(({ userId }) => userId !== createdBy)
  return (
    <Dialog title="Participants" onClose={onClose}>
      <div className="flex flex-col gap-16">
        <p className="text-neutral-11">
          Everyone who can see {project.data ? <Name>{project.data.name}</Name> : t`the project`} can read
          this conversation. Participants also get an email when a run needs their decision, or ends after
          more than five minutes.
        </p>
        <ul aria-label="Participants" className="border-neutral-6 border-t">
          {createdBy !== null && (
            <Row name={creator ?? t`A former member`} isSelf={createdBy === user.id}>
              <span className="text-12 text-neutral-11">Creator</span>
            </Row>
          )}
          {others.map(({ userId, name }) => (
            <Row key={userId} name={name} isSelf={userId === user.id}>
              {(canEdit || userId === user.id) && (
                <RemoveButton
                  conversation={conversation}
                  userId={userId}
                  name={name}
                  isSelf={userId === user.id}
                />
              )}
            </Row>
          ))}
        </ul>
        {canEdit ? (
          <AddParticipant conversation={conversation} names={names.data ?? new Map()} />
        ) : (
          <p className="text-12 text-neutral-11">Members who can edit the project can add participants.</p>
        )}
      </div>
    </Dialog>
  )
}

interface RowProps {
  name: string
  isSelf: boolean
  children: React.ReactNode
}

function Row({ name, isSelf, children }: RowProps) {
  return (
    <li className="flex min-h-row items-center gap-8 border-neutral-6 border-b py-4">
      <span className="min-w-0 flex-1 truncate">
        <Name>{name}</Name>
        {isSelf && <span className="text-neutral-11"> (you)</span>}
      </span>
      {children}
    </li>
  )
}

interface RemoveButtonProps {
  conversation: Conversation
  userId: string
  name: string
  isSelf: boolean
}

/** Needs no confirmation: the member keeps the access the project gives. */
function RemoveButton({ conversation: { id }, userId, name, isSelf }: RemoveButtonProps) {
  const remove = useMutation({
    mutationFn: () => api.sessions.removeParticipant({ id, userId }),
    onSuccess: async (changed) => {
      await cacheConversation(changed)
      toast(isSelf ? t`You left the conversation` : withNames`Removed ${name}`)
    },
    onError: toastFailure,
  })
  return (
    <Button
      size="small"
      look="quiet"
      busy={remove.isPending}
      aria-label={isSelf ? t`Leave conversation` : textWithNames`Remove ${name}`}
      onClick={() => remove.mutate()}
    >
      {isSelf ? t`Leave` : t`Remove`}
    </Button>
  )
}

interface AddParticipantProps {
  conversation: Conversation
  names: ReadonlyMap<string, string>
}

/** Requires step-up: the member then gets email about the conversation. */
function AddParticipant({ conversation, names }: AddParticipantProps) {
  const { id, createdBy, participants } = conversation
  const participantIds = new Set([createdBy, ...participants.map((participant) => participant.userId)])
  const others = [...names]
    .filter(([memberId]) => !participantIds.has(memberId))
    .map(([key, name]) => ({ id: key, name }))
  const add = useMutation({
    mutationFn: (userId: string) => api.sessions.addParticipant({ id, userId }),
    onSuccess: async ({ emailed, ...changed }, userId) => {
      const name = names.get(userId) ?? t`The member`
      await cacheConversation(changed)
      toast(
        emailed ? withNames`Added ${name}` : withNames`Added ${name}, but they won’t get email: ${NO_EMAIL}`,
      )
    },
  })
  if (names.size > 0 && others.length === 0)
    return <p className="text-12 text-neutral-11">Every organization member is already listed.</p>
  return (
    <div className="flex flex-col gap-12">
      <AddMemberForm
        label="Add member"
        action="Add"
        members={others}
        failure={failureMessage(add.error)}
        busy={add.isPending}
        onAdd={add.mutate}
      />
      <p className="text-12 text-neutral-11">
        You can add members who can see the project. They’ll see this conversation’s messages, tool calls and
        attachments.
      </p>
    </div>
  )
}

const NO_EMAIL = t`this server doesn’t send email, or the address isn’t verified`
