/** What a host knows of a provider before it is loaded, and what it may be asked for. */

import type { NextStep, OptionAdvice, OptionName } from '../../lib/errors.ts';
import type { Candidate } from '../../llm/failover/candidate.ts';
import type { ModelInfo, Provider, Setting } from '../../llm/provider.ts';
import type { Price } from '../../schema/model/price.ts';
import type { HostEnvironment } from '../host-environment.ts';

/** What is wanted of one provider. */
export interface ModelOptions {
  /** `null` leaves the choice to the provider. */
  readonly model: string | null;
  /** The address of a server; `null` leaves it to the environment and the default. */
  readonly host: string | null;
  /** The address of an API, as given now or when the run began; `null` leaves it to the environment and the API's own. */
  readonly baseUrl: string | null;
  /** Told how a download goes; `null`: nothing is downloaded. */
  readonly report: ((line: string) => void) | null;
  readonly signal: AbortSignal;
}

export interface OpenedModel {
  readonly provider: Provider;
  readonly model: string;
  /** The address or the file it comes from, for people. */
  readonly where: string;
  /** Why another model than the wanted one was taken; '' when it was not. */
  readonly notice: string;
  /** The option of a call that the notice is about. */
  readonly noticeOption?: OptionName;
  /** Names the key in use, where there is more than one way to a model. */
  readonly profile?: string;
  /** The address that was given, without credentials. */
  readonly baseUrl?: string;
  readonly fallbacks?: readonly Candidate[];
  /** Settings that this model's API does not take. */
  readonly ignores?: readonly Setting[];
}

export interface ListedModel {
  /** As a model is named. */
  readonly name: string;
  /** Tokens; `null` when unknown. */
  readonly contextWindow: number | null;
  /** `null` where nobody tells. */
  readonly capabilities: ModelInfo['capabilities'] | null;
  /** `free` on this machine or by the server's word; `null` when unknown. */
  readonly price: Price | 'free' | null;
}

/** What one provider has. */
export interface Listing extends OptionAdvice {
  /** The address or the folder, for people. */
  readonly where: string;
  readonly models: readonly ListedModel[];
  /** Why nothing can be listed, in one line; '' where it can. */
  readonly problem: string;
  /** What to do about it, or ''. */
  readonly next: string;
}

export type ListOptions = Pick<ModelOptions, 'host' | 'baseUrl' | 'signal'>;

interface Named {
  /** How one of its models is named, as an example. */
  readonly example: string;
  /** As people write it. */
  readonly label: string;
  /** Plain names that nobody else has. */
  readonly plainNames?: RegExp;
}

/** Its models run on this machine, or on one that the user looks after. */
export interface LocalRow extends Named {
  readonly kind: 'local';
  /** The environment variable that says where the server is, where the provider is a server. */
  readonly hostVariable?: string;
  /** The environment variable that names its model. */
  readonly modelVariable?: string;
  /** Models of these names are run elsewhere by the server. */
  readonly passedOn?: RegExp;
  /** The command that gets a first model, where a person gives it; two where either does. */
  readonly firstModel?: NextStep;
  /** What `agent setup NAME` gets: the engine, with a model if one is named, or a model alone. */
  readonly setup?: 'engine' | 'model';
  /** What stands for a file behind `NAME:`, such as `FILE.gguf`; left out: a name of a model. */
  readonly file?: string;
  /** Makes the name of a file absolute. Throws E_USAGE for what cannot name one. */
  readonly resolveName?: (name: string, cwd: string) => string;
  open(request: ModelOptions, place: HostEnvironment): Promise<OpenedModel>;
  list(request: ListOptions, place: HostEnvironment): Promise<Listing>;
}

/** Plays turns from a file. Where it lies is not remembered, and it is not part of the work. */
export interface PlaybackRow extends Named {
  readonly kind: 'playback';
  readonly file: string;
  readonly resolveName: (name: string, cwd: string) => string;
  open(request: ModelOptions, place: HostEnvironment): Promise<OpenedModel>;
}

/** An API elsewhere, reached with a key. */
export interface HostedRow extends Named {
  readonly kind: 'hosted';
  /** Its name in the journal and in front of its models. */
  readonly name: string;
  readonly keyVariable: string;
  /** What people call its models, where that is not their name. */
  readonly families?: readonly string[];
  /** What its name alone means, where that means a model. */
  readonly defaultModel?: string;
  /** The environment variable that moves it, where there is one. */
  readonly urlVariable?: string;
  /** Where it is, where its client does not know that by itself. */
  readonly defaultUrl?: string;
  /**
   * Other servers speak its language, and one of the user's own needs no key: at another address
   * nothing is known of its models.
   */
  readonly isSpokenByOthers?: boolean;
  /** It is where the user's settings or the call say, and nowhere else. */
  readonly hasNoAddress?: boolean;
  /** Loads the client; no request is sent. `onNotice` is told what a model does not take. */
  connect(account: HostedAccount, onNotice: (notice: string) => void): Promise<Provider>;
  /** For people: no name and no password in it. */
  address(account: HostedAccount): Promise<string>;
}

export type ProviderRow = LocalRow | PlaybackRow | HostedRow;

/** One way to reach one API. Several keys are several accounts. */
export interface HostedAccount {
  /** '' where the server wants none. */
  readonly apiKey: string;
  /** Where the key came from: it is journalled and shown, the key never. */
  readonly profile: string;
  /** `undefined`: the API's own. */
  readonly baseUrl: string | undefined;
  /** Sent with every request. */
  readonly headers?: { readonly [name: string]: string };
}
