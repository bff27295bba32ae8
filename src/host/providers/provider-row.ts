/** What a host knows about a provider before loading it, and what the provider can be asked for. */

import type { OptionAdvice, RecoveryHint } from '../../lib/errors.ts';
import type { Candidate } from '../../llm/failover/candidate.ts';
import type { ModelInfo, ModelSetting, Provider } from '../../llm/provider.ts';
import type { Price } from '../../schema/model/price.ts';
import type { HostEnvironment } from '../host-environment.ts';

export interface MakeModelOptions {
  /** `null` leaves the choice to the provider. */
  readonly model: string | null;
  /** The address of a server, as given now or when the run began; `null`: from the environment, else the default. */
  readonly host: string | null;
  /** The address of an API, as given now or when the run began; `null`: from the environment, else the API's own. */
  readonly baseUrl: string | null;
  /** Gets the progress of a download; `null`: nothing is downloaded. */
  readonly report: ((line: string) => void) | null;
  readonly signal: AbortSignal;
}

export interface OpenedModel {
  readonly provider: Provider;
  readonly model: string;
  /** The address or the file it comes from, for people. */
  readonly where: string;
  /** Why another model was taken than the one asked for; '' if it was not. */
  readonly notice: string;
  /** Names the key in use, if there is more than one for a model. */
  readonly profile?: string;
  /** The given address, without credentials. */
  readonly baseUrl?: string;
  readonly fallbacks?: readonly Candidate[];
  /** Settings that this model's API does not accept. */
  readonly ignores?: readonly ModelSetting[];
}

export interface ListedModel {
  /** The model's name as an option takes it. */
  readonly name: string;
  /** Tokens; `null` if unknown. */
  readonly contextWindow: number | null;
  readonly capabilities: ModelInfo['capabilities'] | null;
  /** `free` on this machine or if the server says so; `null` if unknown. */
  readonly price: Price | 'free' | null;
}

/** What one provider offers. */
export interface Listing extends OptionAdvice {
  /** The address or the folder, for people. */
  readonly where: string;
  readonly models: readonly ListedModel[];
  /** Why nothing can be listed, in one line; '' if it can. */
  readonly problem: string;
  /** What to do about the problem, or ''. */
  readonly next: string;
}

export type ListOptions = Pick<MakeModelOptions, 'host' | 'baseUrl' | 'signal'>;

interface Named {
  /** The name of one of its models, as an example. */
  readonly example: string;
  /** The name for people. */
  readonly label: string;
  /** Model names without a provider that belong to this provider alone. */
  readonly plainNames?: RegExp;
}

/** A provider whose models run on this machine, or on one that the user manages. */
export interface LocalRow extends Named {
  readonly kind: 'local';
  /** The environment variable with the server's address, if the provider is a server. */
  readonly hostVariable?: string;
  readonly modelVariable?: string;
  /** Models with these names run elsewhere; the server forwards requests to them. */
  readonly passedOn?: RegExp;
  /** The command that gets a first model, if the person runs it; two if either works. */
  readonly firstModel?: RecoveryHint;
  /** What `agent setup NAME` gets: the engine, with a model if one is named, or a model alone. */
  readonly setup?: 'engine' | 'model';
  /** The placeholder for a file after `NAME:`, such as `FILE.gguf`; left out: a model name follows. */
  readonly file?: string;
  /** Makes the name of a file absolute. Throws E_USAGE if it cannot be a file name. */
  readonly resolveName?: (name: string, cwd: string) => string;
  open(request: MakeModelOptions, place: HostEnvironment): Promise<OpenedModel>;
  list(request: ListOptions, place: HostEnvironment): Promise<Listing>;
}

/** A provider that plays turns from a file. A resume does not reopen it, and the work cannot see it. */
export interface PlaybackRow extends Named {
  readonly kind: 'playback';
  readonly file: string;
  readonly resolveName: (name: string, cwd: string) => string;
  open(request: MakeModelOptions, place: HostEnvironment): Promise<OpenedModel>;
}

/** An API elsewhere, which needs a key. */
export interface HostedRow extends Named {
  readonly kind: 'hosted';
  /** The provider's name in the journal and before its models. */
  readonly name: string;
  readonly keyVariable: string;
  /** Names of its model families, if they differ from its name. */
  readonly families?: readonly string[];
  /** The model that its name alone stands for, if any. */
  readonly defaultModel?: string;
  /** The environment variable that changes its address, if any. */
  readonly urlVariable?: string;
  /** The provider's address, if its client does not know it. */
  readonly defaultUrl?: string;
  /**
   * Other servers have the same API, and the user's own servers need no key; nothing is known about models at another
   * address.
   */
  readonly isSpokenByOthers?: boolean;
  /** The provider has no address except one from the user's settings or the call. */
  readonly hasNoAddress?: boolean;
  /** Loads the client without a request. `onNotice` gets the settings that a model does not accept. */
  connect(account: HostedAccount, onNotice: (notice: string) => void): Promise<Provider>;
  /** The address for people, without name and password. */
  address(account: HostedAccount): Promise<string>;
}

export type ProviderRow = LocalRow | PlaybackRow | HostedRow;

/** One way to reach an API. Several keys are several accounts. */
export interface HostedAccount {
  /** '' if the server needs none. */
  readonly apiKey: string;
  /** The origin of the key: it is journalled and shown, the key never. */
  readonly profile: string;
  /** `undefined`: the API's own. */
  readonly baseUrl: string | undefined;
  /** Sent with every request. */
  readonly headers?: { readonly [name: string]: string };
}
