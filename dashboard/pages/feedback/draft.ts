import { localStore } from '../../state/local-storage.ts'

/** What somebody has begun to write. It is theirs alone, also in a browser that several people share. */
export const feedbackDraft = (userId: string) => {
  const key = `atrium.feedback-draft.${userId}`
  return {
    read: () => localStore.read(key) ?? '',
    write: (text: string) => localStore.write(key, text || null),
  }
}
