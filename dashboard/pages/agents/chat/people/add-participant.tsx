import { useMutation } from '@tanstack/react-query'
import { api } from '../../../../api/client.ts'
import { type Conversation, cacheConversation } from '../../../../api/conversations.ts'
import { failureMessage } from '../../../../api/explain.ts'
import { AddMemberForm } from '../../../../components/forms/add-member-form.tsx'
import { withNames } from '../../../../components/name.tsx'
import { toast } from '../../../../components/toast.tsx'

interface AddParticipantProps {
  conversation: Conversation
  /** The members of the organization by id. */
  names: ReadonlyMap<string, string>
}

/** Adds a member, after step-up: from then on the member gets email about the conversation. */
export function AddParticipant({ conversation, names }: AddParticipantProps) {
  const { id, createdBy, participants } = conversation
  const participantIds = new Set([createdBy, ...participants.map((participant) => participant.userId)])
  const others = [...names]
    .filter(([memberId]) => !participantIds.has(memberId))
    .map(([key, name]) => ({ id: key, name }))
  const add = useMutation({
    mutationFn: (userId: string) => api.sessions.addParticipant({ id, userId }),
    onSuccess: async ({ emailed, ...changed }, userId) => {
      const name = names.get(userId) ?? 'The member'
      await cacheConversation(changed)
      toast(emailed ? withNames`Added ${name}` : withNames`Added ${name}, who gets no email: ${NO_EMAIL}`)
    },
  })
  if (names.size > 0 && others.length === 0)
    return <p className="text-12 text-neutral-11">All members of the organization are listed.</p>
  return (
    <div className="flex flex-col gap-12">
      <AddMemberForm
        label="Add a member"
        action="Add"
        members={others}
        failure={failureMessage(add.error)}
        busy={add.isPending}
        onAdd={add.mutate}
      />
      <p className="text-12 text-neutral-11">
        The member must be able to see the project, and sees all messages, tool calls and attachments of this
        conversation. Adding gives no access to the project.
      </p>
    </div>
  )
}

const NO_EMAIL = 'this server sends none, or the email address is not verified'
