// A Temporal server with everything in one file, for tests: temporal-server PORT FILE.
// It listens on this machine alone, and keeps what it knows when it is killed.
package main

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	schema "go.temporal.io/server/schema/sqlite"
	"go.temporal.io/server/temporal"
)

const (
	host      = "127.0.0.1"
	zone      = "active"
	namespace = "default"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(words []string) error {
	if len(words) != 2 {
		return fmt.Errorf("usage: temporal-server PORT FILE")
	}
	port, err := strconv.Atoi(words[0])
	if err != nil {
		return err
	}
	all := configOf(port, words[1])
	database := all.Persistence.DataStores["sqlite"].SQL
	if _, err := os.Stat(words[1]); os.IsNotExist(err) {
		if err := schema.SetupSchema(database); err != nil {
			return err
		}
	}
	made, err := schema.NewNamespaceConfig(zone, namespace, false, nil)
	if err != nil {
		return err
	}
	if err := schema.CreateNamespaces(database, made); err != nil {
		return err
	}
	server, err := temporal.NewServer(
		temporal.WithConfig(all),
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithLogger(log.NewZapLogger(log.BuildZapLogger(log.Config{Stdout: true, Level: "error"}))),
		temporal.WithDynamicConfigClient(dynamicconfig.StaticClient{
			// Tests begin many runs at once.
			dynamicconfig.FrontendMaxNamespaceRPSPerInstance.Key(): 100000,
		}),
		temporal.InterruptOn(temporal.InterruptCh()),
	)
	if err != nil {
		return err
	}
	return server.Start()
}

func configOf(port int, file string) *config.Config {
	sql := config.SQL{
		PluginName:        sqlite.PluginName,
		DatabaseName:      file,
		ConnectAttributes: map[string]string{"mode": "rwc", "_journal_mode": "WAL", "_synchronous": "NORMAL"},
	}
	all := &config.Config{}
	all.Global.Membership = config.Membership{MaxJoinDuration: 30 * time.Second, BroadcastAddress: host}
	all.Persistence = config.Persistence{
		DefaultStore:     sqlite.PluginName,
		VisibilityStore:  sqlite.PluginName,
		NumHistoryShards: 1,
		DataStores:       map[string]config.DataStore{sqlite.PluginName: {SQL: &sql}},
	}
	all.ClusterMetadata = &cluster.Config{
		FailoverVersionIncrement: 10,
		MasterClusterName:        zone,
		CurrentClusterName:       zone,
		ClusterInformation: map[string]cluster.ClusterInformation{
			zone: {Enabled: true, InitialFailoverVersion: 1, RPCAddress: address(port)},
		},
	}
	all.DCRedirectionPolicy = config.DCRedirectionPolicy{Policy: "noop"}
	all.Services = map[string]config.Service{}
	for _, name := range temporal.DefaultServices {
		at := freePort()
		if name == "frontend" {
			at = port
		}
		all.Services[name] = config.Service{
			RPC: config.RPC{GRPCPort: at, MembershipPort: freePort(), BindOnLocalHost: true},
		}
	}
	all.Archival = config.Archival{
		History:    config.HistoryArchival{State: "disabled"},
		Visibility: config.VisibilityArchival{State: "disabled"},
	}
	all.NamespaceDefaults = config.NamespaceDefaults{
		Archival: config.ArchivalNamespaceDefaults{
			History:    config.HistoryArchivalNamespaceDefaults{State: "disabled"},
			Visibility: config.VisibilityArchivalNamespaceDefaults{State: "disabled"},
		},
	}
	all.PublicClient = config.PublicClient{HostPort: address(port)}
	return all
}

func address(port int) string { return fmt.Sprintf("%s:%d", host, port) }

func freePort() int {
	listener, err := net.Listen("tcp", host+":0")
	if err != nil {
		panic(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}
