// Uses the client that openapi-generator makes for Go.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	stowboard "example.org/stow/client"
)

func main() {
	settings := stowboard.NewConfiguration()
	settings.Servers = stowboard.ServerConfigurations{{URL: os.Getenv("ORIGIN") + "/api/v1"}}
	client := stowboard.NewAPIClient(settings)
	ctx := context.WithValue(context.Background(), stowboard.ContextAccessToken, os.Getenv("TOKEN"))

	body := stowboard.NewCreateBody("Water the plants")
	body.SetDueAt(253402300799999)
	body.SetTags([]string{"home"})
	made, _, err := client.TasksAPI.CreateTask(ctx).CreateBody(*body).Execute()
	stopIf(err)
	task := made.GetData()
	completed, _, err := client.TasksAPI.CompleteTask(ctx, task.GetId()).Execute()
	stopIf(err)
	after := completed.GetData()
	events, _, err := client.EventsAPI.ListEvents(ctx).From("start").Limit(1).Execute()
	stopIf(err)

	_, _, err = client.TasksAPI.GetTask(ctx, "tsk_unknown").Execute()
	var refused *stowboard.GenericOpenAPIError
	code := ""
	if errors.As(err, &refused) {
		problem := refused.Model().(stowboard.Error)
		code = problem.Error.GetCode()
	}

	told, err := json.Marshal(map[string]any{
		"id": task.GetId(), "dueAt": task.GetDueAt(), "tags": task.GetTags(), "status": after.GetStatus(),
		"unknown": code, "events": len(events.GetData()) > 0,
	})
	stopIf(err)
	fmt.Println(string(told))
}

func stopIf(err error) {
	if err != nil {
		panic(err)
	}
}
