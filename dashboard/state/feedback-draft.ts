import { localStore } from './store.ts'

/** The unsent feedback text, per user: several users can share a browser. */
export const feedbackDraft = (userId: string) => {
  const key = `atrium.feedback-draft.${userId}`
  return {
    read: () => localStore.read(key) ?? '',
    write: (text: string) => localStore.write(key, text || null),
  }
}
