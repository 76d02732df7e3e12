import { remembered } from '../../state/local-storage.ts'

/** What somebody has begun to write. It is theirs alone, also in a browser that several people share. */
export const feedbackDraft = (userId: string) => {
  const key = `atrium.feedback-draft.${userId}`
  return {
    read: () => remembered.read(key) ?? '',
    write: (text: string) => remembered.write(key, text || null),
  }
}
