/** A queue in which tenants take turns, so that a thousand goals of one tenant do not delay another's. */
export class FairQueue<Job extends { readonly tenant: string }> {
  readonly #waiting = new Map<string, Job[]>();

  add(job: Job): void {
    const jobs = this.#waiting.get(job.tenant);
    if (jobs === undefined) this.#waiting.set(job.tenant, [job]);
    else jobs.push(job);
  }

  all(): readonly Job[] {
    return [...this.#waiting.values()].flat();
  }

  lengths(): ReadonlyMap<string, number> {
    return new Map([...this.#waiting].map(([tenant, jobs]) => [tenant, jobs.length]));
  }

  /** The next job that can be done now; its tenant then moves to the end. */
  take(canBeDone: (job: Job) => boolean): Job | null {
    for (const [tenant, jobs] of this.#waiting) {
      const at = jobs.findIndex(canBeDone);
      const [job] = at < 0 ? [] : jobs.splice(at, 1);
      if (job === undefined) continue;
      this.#waiting.delete(tenant);
      if (jobs.length > 0) this.#waiting.set(tenant, jobs);
      return job;
    }
    return null;
  }

  /** False: it does not wait. */
  remove(job: Job): boolean {
    const before = this.#waiting.get(job.tenant) ?? [];
    const after = before.filter((one) => one !== job);
    if (after.length > 0) this.#waiting.set(job.tenant, after);
    else this.#waiting.delete(job.tenant);
    return after.length < before.length;
  }
}
